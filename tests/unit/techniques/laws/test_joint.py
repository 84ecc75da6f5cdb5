from __future__ import annotations

import json

import numpy as np
import pytest

from hushwood.random_streams import Streams
from hushwood.segments.segments import Segments
from hushwood.tables.domains import Intervals
from hushwood.techniques.laws.joint import JointLaw, LawPerturber
from hushwood.techniques.laws.noise import NoiseLaw, NoiseParameters
from hushwood.techniques.laws.permutation import permutation_law
from support.mixed_tables import category, table_of

STREAMS = Streams(bytes(range(32)))
BOX = Intervals(np.array([0.0]), np.array([9.0]), 0)


def noise(name: str) -> NoiseLaw:
    return NoiseParameters().law(name, BOX, "LINFAPT")


def test_log_probabilities_add_up() -> None:
    original = {"x": np.array([3.0, 4.0]), "y": np.array([5.0, 6.0])}
    released = {"x": np.array([4.0, 4.0]), "y": np.array([9.0, 0.0])}
    ids = np.zeros(2, int)
    parts = [noise(name).log_prob(original, released, ids) for name in ("x", "y")]
    found = JointLaw((noise("x"), noise("y"))).log_prob(original, released, ids)
    np.testing.assert_allclose(found, parts[0] + parts[1])


def test_no_laws_give_probability_one_to_every_record() -> None:
    empty = JointLaw(())
    assert empty.log_prob({}, {}, np.zeros(3, int)).tolist() == [0, 0, 0]
    assert empty.sample({}, np.zeros(3, int), range(3), STREAMS) == {}
    assert not empty.dependent


def test_one_permutation_makes_the_whole_dependent() -> None:
    table = table_of({"c": (category("c", "ab"), [0, 1])})
    swap = permutation_law(table, "c", Segments(np.zeros(2, np.int32), 1, {}, {}, {}), "SWAP")
    assert JointLaw((noise("x"), swap)).dependent
    assert LawPerturber(("x", "c"), JointLaw((noise("x"), swap))).whole_column
    assert not LawPerturber(("x",), JointLaw((noise("x"),))).whole_column


def test_covers() -> None:
    joint = JointLaw((noise("x"),))
    assert LawPerturber(("x",), joint).covers("x") is None
    found = LawPerturber(("x",), joint, {"x": np.array([True, False])}).covers("x")
    assert found is not None
    assert found.tolist() == [True, False]


def test_described_is_plain_data() -> None:
    plain = JointLaw((noise("x"),)).described()
    assert json.loads(json.dumps(plain)) == plain
    assert plain["laws"][0]["scale"] == pytest.approx([10 / 3])
