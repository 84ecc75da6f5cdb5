from __future__ import annotations

import numpy as np
import pytest

from hushwood.measures.posterior.matrix_likelihoods import matrix_likelihood
from hushwood.techniques.laws.forms import MatrixForm, RedrawForm
from hushwood.techniques.pram import InvariantPram, Pram, RandomCategorical
from hushwood.techniques.protocol import Technique
from support.transition_tables import coded_table, law_of

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


def matrix_of(technique: Technique) -> MatrixForm:
    table = coded_table(CODES, 3)
    form = law_of(technique, table, IDS).forms(table.schema)["x"]
    assert isinstance(form, MatrixForm)
    return form


@pytest.mark.parametrize("technique", LAWS.values(), ids=LAWS)
def test_every_pair_of_values_has_the_laws_probability(technique: Technique) -> None:
    """Blocks are the segments; values that do not occur in a segment cannot be in it."""
    form = matrix_of(technique)
    own, given = np.array([0, 1, 2, -1, 1], np.int32), np.array([2, 0, 1, -1], np.int32)
    found = matrix_likelihood(form, {"x": own}, given, np.array([0, 1]))
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
                wanted = form.law.log_prob(one, other, np.array([block]))[0] / np.log(2)
                same = found.code[x] == found.released[y]
                told = found.stay[place] if same else found.table[found.row[place] + int(found.released[y])]
                assert told == pytest.approx(max(wanted, -1e30), rel=1e-5, abs=1e-6)


def test_values_that_the_law_never_knew_are_impossible() -> None:
    found = matrix_likelihood(
        matrix_of(Pram({"x": TURN})), {"x": np.array([0, 1])}, np.array([0, 7]), np.array([0])
    )
    assert found is not None
    assert (found.table.reshape(2, 2)[:, 1] < -1e29).all()


def test_too_many_pairs_are_not_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hushwood.measures.posterior.matrix_likelihoods.MOST_PAIRS", 11)
    form = matrix_of(InvariantPram(within="segment"))
    assert matrix_likelihood(form, {"x": np.array([0, 1])}, np.array([0, 1, 2]), np.array([0, 1])) is None
    assert matrix_likelihood(form, {"x": np.array([0])}, np.array([0, 1, 2]), np.array([0, 1])) is not None


def test_one_distribution_for_the_whole_table_is_read_elsewhere() -> None:
    table = coded_table(CODES, 3)
    form = law_of(RandomCategorical(), table, IDS).forms(table.schema)["x"]
    assert isinstance(form, RedrawForm)
