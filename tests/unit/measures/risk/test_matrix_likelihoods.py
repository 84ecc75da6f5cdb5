from __future__ import annotations

import numpy as np
import pytest

from hushwood.measures.risk.matrix_likelihoods import is_matrix, matrix_likelihood
from hushwood.techniques.invariant_pram import InvariantPram
from hushwood.techniques.joint import JointLaw
from hushwood.techniques.pram import Pram
from hushwood.techniques.protocol import Technique
from hushwood.techniques.random_categorical import RandomCategorical
from hushwood.techniques.redraw import RedrawLaw
from hushwood.techniques.two_stage import TwoStageLaw
from transition_tables import coded_table, law_of

CODES, IDS = [0, 1, 1, 2, 0, -1, 2, 2], [0, 0, 0, 0, 1, 1, 1, 1]
TURN = [[0.5, 0.5, 0.0], [0.0, 0.9, 0.1], [1.0, 0.0, 0.0]]
LAWS = {
    "matrix": Pram({"x": TURN}),
    "matrix in segments": Pram({"x": TURN}, within="segment"),
    "change in segments": Pram(probability=0.3, within="segment"),
    "two stages": InvariantPram(probability=0.6),
    "two stages in segments": InvariantPram(probability=0.6, within="segment"),
    "direct in segments": InvariantPram("direct", within="segment"),
}


def only_law(technique: Technique) -> RedrawLaw | TwoStageLaw:
    joint = law_of(technique, coded_table(CODES, 3), IDS)
    assert isinstance(joint, JointLaw)
    (law,) = joint.laws
    assert isinstance(law, RedrawLaw | TwoStageLaw)
    return law


@pytest.mark.parametrize("technique", LAWS.values(), ids=LAWS)
def test_every_pair_of_values_has_the_laws_probability(technique: Technique) -> None:
    """Blocks are the segments; values that do not occur in a segment cannot be in it."""
    law = only_law(technique)
    own, given = np.array([0, 1, 2, -1, 1], np.int32), np.array([2, 0, 1, -1], np.int32)
    found = matrix_likelihood(law, {"x": own}, given, np.array([0, 1]))
    assert found is not None
    inside = "segment" if technique.keeps_segment else "table"
    for block in (0, 1):
        for x in range(len(own)):
            place = found.class_of[block], found.kind[x]
            if inside == "segment" and int(own[x]) not in {
                c for c, s in zip(CODES, IDS, strict=True) if s == block
            }:
                row = found.row[place]
                assert row < 0 or (found.table[row : row + 4] < -1e29).all()
                continue
            for y in range(len(given)):
                one, other = {"x": own[x : x + 1]}, {"x": given[y : y + 1]}
                wanted = law.log_prob(one, other, np.array([block]))[0] / np.log(2)
                same = found.code[x] == found.released[y]
                told = found.stay[place] if same else found.table[found.row[place] + int(found.released[y])]
                assert told == pytest.approx(max(wanted, -1e30), rel=1e-5, abs=1e-6)


def test_values_that_the_law_never_knew_are_impossible() -> None:
    law = only_law(Pram({"x": TURN}))
    found = matrix_likelihood(law, {"x": np.array([0, 1])}, np.array([0, 7]), np.array([0]))
    assert found is not None
    assert (found.table.reshape(2, 2)[:, 1] < -1e29).all()


def test_too_many_pairs_are_not_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hushwood.measures.risk.matrix_likelihoods.MOST_PAIRS", 11)
    law = only_law(InvariantPram(within="segment"))
    assert matrix_likelihood(law, {"x": np.array([0, 1])}, np.array([0, 1, 2]), np.array([0, 1])) is None
    assert matrix_likelihood(law, {"x": np.array([0])}, np.array([0, 1, 2]), np.array([0, 1])) is not None


def test_one_distribution_for_the_whole_table_is_read_elsewhere() -> None:
    free = only_law(RandomCategorical())
    given = only_law(Pram({"x": TURN}))
    assert isinstance(free, RedrawLaw)
    assert isinstance(given, RedrawLaw)
    assert not is_matrix(free)
    assert is_matrix(given)
