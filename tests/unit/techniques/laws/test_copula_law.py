"""C-GADP's law: every cell's own distribution of each column, and probabilities that add up to one."""

from __future__ import annotations

import numpy as np
import pytest

from hushwood.errors import InternalFault
from hushwood.segments.partition import whole_table
from hushwood.techniques.gadp import Cgadp
from hushwood.techniques.laws import copula_law as module
from hushwood.techniques.laws.copula_law import CopulaLaw, copula_law
from hushwood.techniques.together.learnt_groups import LearntGroup
from oracles import correlations as oracle
from support.correlated_tables import STREAMS, cut, drawn_by, hard_table, numbers_of
from support.mixed_tables import number, table_of


def test_knots_are_the_sorted_values_of_small_cells_and_quantiles_of_large_ones(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(module, "MOST_KNOTS", 9)
    table = hard_table(1, 60, ["real", "whole"])
    segments = cut(table, ("x0", 0.1))
    learnt = LearntGroup.of(table, numbers_of(table), segments, "segment")
    law = copula_law(learnt, 0.0, "CGADP")
    for j, name in enumerate(law.attributes):
        for c in range(law.cells.count):
            mine = law.knots[j, law.offset[c] : law.offset[c + 1]].tolist()
            here = table.columns[name][segments.ids == c].tolist()
            places = np.linspace(0, 1, min(len(here), 9))
            assert mine == pytest.approx([oracle.quantile(here, p) for p in places])
    assert sorted(np.diff(law.offset).tolist()) == [6, 9]


def test_drawn_values_lie_between_those_of_their_own_cell() -> None:
    table = hard_table(2, 300, ["real", "whole", "single", "offset", "constant"], gaps=0.1)
    segments = cut(table, ("x0", 0.5), ("x1", 0.3))
    done = drawn_by(Cgadp(within="segment"), table, segments)
    for c in np.flatnonzero(done.ways == 0).tolist():
        here = done.cell == c
        for j in np.flatnonzero(done.perturber.cells.known[c]).tolist():
            assert done.after[here, j].min() >= done.before[here, j].min()
            assert done.after[here, j].max() <= done.before[here, j].max()


@pytest.mark.parametrize("rho", [0.0, 0.5])
def test_the_probabilities_of_one_columns_values_add_up_to_one(rho: float) -> None:
    chance = np.random.default_rng(3)
    values = np.rint(chance.gamma(2, 3, 80))
    table = table_of({"a": (number("a", 0, 40), values.tolist())})
    law = Cgadp(rho, given=()).prepare(table, ["a"], whole_table(table)).method.stated
    assert isinstance(law, CopulaLaw)
    total = np.zeros(80)
    for value in range(41):
        released = {"a": np.full(80, float(value))}
        total += np.exp(law.log_prob(table.columns, released, np.zeros(80, int)))
    assert total == pytest.approx(np.ones(80))


def test_records_in_any_chunk_get_the_same_values() -> None:
    table = hard_table(4, 400, ["real", "whole", "real"])
    segments = whole_table(table)
    law = Cgadp(0.4, given=("k", "x2")).prepare(table, numbers_of(table), segments).law()
    whole = law.sample(table.columns, segments.ids, range(400), STREAMS)
    parts = [range(1), range(1, 130), range(130, 400)]
    for part in parts:
        columns = {name: values[part.start : part.stop] for name, values in table.columns.items()}
        found = law.sample(columns, segments.ids[part.start : part.stop], part, STREAMS)
        for name in whole:
            assert np.array_equal(found[name], whole[name][part.start : part.stop])


def test_a_score_that_is_no_number_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    table = hard_table(2, 60, ["real", "whole"])
    monkeypatch.setattr(module, "by_cell", lambda values, matrices, cell: np.full(values.shape, np.nan))
    with pytest.raises(InternalFault, match="is not a number"):
        drawn_by(Cgadp(within="segment"), table, cut(table, ("x0", 0.5)))
