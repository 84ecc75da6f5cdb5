from __future__ import annotations

from math import log2

import numpy as np
import pytest

from hushwood.measures.posterior.law_likelihoods import law_evidence
from hushwood.measures.posterior.posteriors import posteriors
from hushwood.releasing.engines.memory import run
from hushwood.segments.segments import Segments, domain_intervals
from hushwood.tables.domains import Intervals
from hushwood.tables.table import Table
from hushwood.techniques.added_noise import Kim
from hushwood.techniques.gadp import Cgadp, Gadp
from hushwood.techniques.laws.forms import BoxForm
from hushwood.techniques.protocol import Technique
from hushwood.techniques.shuffle import Shuffle
from support.mixed_tables import number, table_of, target
from support.table_pairs import STREAMS, context_for
from support.technique_variants import prepared

ROWS = 60
ANEW: dict[str, Technique] = {
    "GADP": Gadp(within="segment"),
    "CGADP": Cgadp(within="segment"),
    "SHUFFLE": Shuffle(within="segment"),
    "SHUFFLE class": Shuffle(within="segment", given=("k",)),
    "GADP table": Gadp(),
    "SHUFFLE table": Shuffle(),
}


def two_numbers(gaps: int) -> Table:
    """Sizes 1 to 20, reals around them, the first `gaps` of which are missing, and a class."""
    chance = np.random.default_rng(8)
    size = chance.integers(1, 21, ROWS).astype(float)
    ratio = np.clip(size / 20 + chance.normal(0, 0.1, ROWS), 0, 1)
    ratio[:gaps] = np.nan
    return table_of(
        {
            "size": (number("size", 1, 20), size.tolist()),
            "ratio": (number("ratio", 0, 1, None), ratio.tolist()),
            "k": (target("k", "ab"), (np.arange(ROWS) % 2).tolist()),
        }
    )


def overlapping(table: Table) -> Segments:
    """Sizes up to 10 or from 8 on: those from 8 to 10 can be in either."""
    size = table.columns["size"]
    ids = np.where((size > 10) | ((size >= 8) & (np.arange(ROWS) % 2 == 0)), 1, 0).astype(np.int32)
    boxes = Intervals(np.array([1.0, 8.0]), np.array([10.0, 20.0]), 0)
    ratio = domain_intervals(table.schema["ratio"], 2)
    return Segments(ids, 2, {"size": boxes, "ratio": ratio}, {}, {})


@pytest.mark.parametrize("gaps", [0, 24])
@pytest.mark.parametrize("name", ANEW)
def test_everybody_who_fits_the_segment_and_has_the_same_gaps_is_equally_likely(name: str, gaps: int) -> None:
    table = two_numbers(gaps)
    segments = overlapping(table)
    steps = prepared(ANEW[name], table, segments)
    released = table.with_columns(run(table, steps, STREAMS))
    context = context_for(table, released, steps=tuple(steps))
    evidence = law_evidence(table, released, context, np.arange(ROWS))
    assert evidence is not None
    assert not evidence.groups
    found = posteriors(evidence, np.zeros(ROWS, np.int64), 1)
    size, gone = table.columns["size"].tolist(), np.isnan(table.columns["ratio"]).tolist()
    ids = segments.ids.tolist()
    for x in range(ROWS):
        possible = {0: size[x] <= 10, 1: size[x] >= 8}
        inside = [possible[ids[i]] or "table" in name for i in range(ROWS)]
        both = [inside[i] and gone[i] == gone[x] for i in range(ROWS)]
        assert found.bits[x] == pytest.approx(log2(sum(both)), abs=1e-5)
    assert not found.impossible.any()
    alone = posteriors(evidence.knowing(["ratio"]), np.zeros(ROWS, np.int64), 1).bits
    np.testing.assert_allclose(alone, [log2(gone.count(one)) for one in gone], atol=1e-5)


def test_what_looks_at_known_columns_is_none_of_these() -> None:
    table = two_numbers(0)
    segments = overlapping(table)

    def in_a_box(technique: Technique) -> bool:
        forms = prepared(technique, table, segments)[0].perturber.law().forms(table.schema)
        return any(isinstance(form, BoxForm) for form in forms.values())

    assert in_a_box(Gadp(given=("k",)))
    assert not in_a_box(Gadp(given=("ratio",)))
    assert not in_a_box(Gadp(rho=0.3))
    assert not in_a_box(Kim())


def test_shuffling_given_known_columns_stays_with_fitted_kernels() -> None:
    table = two_numbers(0)
    steps = prepared(Shuffle(given=("ratio",)), table, overlapping(table))
    released = table.with_columns(run(table, steps, STREAMS))
    context = context_for(table, released, steps=tuple(steps))
    assert law_evidence(table, released, context, np.arange(ROWS)) is None
