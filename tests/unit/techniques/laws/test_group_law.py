"""What is stated about single records, also in cells that take other ways than the method's own."""

from __future__ import annotations

import numpy as np
import pytest

from hushwood.techniques.gadp import Gadp
from hushwood.techniques.laws import group_law
from hushwood.techniques.shuffle import Rotation, Shuffle
from hushwood.techniques.together.fallbacks import EXCHANGE, OWN
from support.correlated_tables import STREAMS, cut, drawn_by, hard_table, numbers_of, of_sizes, widened

SIZES = [1, 2, 3, 4, 5, 12, 40]


def test_the_law_claims_nothing_but_the_box_where_the_method_cannot_work() -> None:
    table = widened(hard_table(1, sum(SIZES), ["real", "whole"]))
    done = drawn_by(Gadp(within="segment"), table, of_sizes(table, SIZES))
    ids = np.repeat(np.arange(len(SIZES)), SIZES)
    released = done.perturber.perturb(done.rows.columns, ids, range(sum(SIZES)), STREAMS)
    law = done.perturber.law()
    found = law.log_prob(done.rows.columns, released, ids)
    own = done.way == OWN
    assert found[~own] == pytest.approx(np.full((~own).sum(), -np.log(2e6) - np.log(2e6 + 1)))
    assert np.isfinite(found).all()
    assert len(set(found[own])) > 10
    beyond = {**released, "x1": np.full(len(ids), 1e6 + 1)}
    assert np.isneginf(law.log_prob(done.rows.columns, beyond, ids)).all()
    assert law.described()["only_the_box"] == [0, 1, 2]
    assert law.dependent
    assert not law.independent


def test_a_law_of_many_records_is_looked_at_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    table = hard_table(8, 70, ["real", "whole"])
    segments = cut(table, ("x0", 0.5))
    law = Gadp(0.5, within="segment").prepare(table, numbers_of(table), segments).law()
    released = law.sample(table.columns, segments.ids, range(70), STREAMS)
    whole = law.log_prob(table.columns, released, segments.ids)
    monkeypatch.setattr(group_law, "LAW_RECORDS", 16)
    assert np.array_equal(law.log_prob(table.columns, released, segments.ids), whole)
    assert law.log_prob({"x0": np.empty(0), "x1": np.empty(0)}, {}, np.empty(0, int)).shape == (0,)


def test_records_that_exchange_with_others_may_have_anything_in_the_box() -> None:
    """With the chance that they do; the others of their segment only what the method states."""
    table = hard_table(2, 200, ["real", "real"])
    gap = table.columns["x1"].copy()
    gap[:1] = np.nan
    table = table.with_columns({"x1": gap})
    segments = cut(table, ("x0", 0.5))
    done = drawn_by(Shuffle(within="segment"), table, segments)
    (single,) = np.flatnonzero(done.ways == EXCHANGE)
    (partner,) = np.flatnonzero((done.after[:, 0] == done.before[0, 0]) & (done.cell != single))
    law = done.perturber.law()
    released = done.perturber.perturb(table.columns, segments.ids, range(200), STREAMS)
    found = law.log_prob(table.columns, released, segments.ids)
    assert np.isfinite(found).all()
    share = done.perturber.exchanged_share()
    box = np.prod([segments.intervals[name].width[segments.ids[0]] for name in ("x0", "x1")])
    assert found[partner] == pytest.approx(np.log(share[done.cell[partner]]) - np.log(box))
    size = int((segments.ids == segments.ids[0]).sum())
    mates = [c for c in range(3) if done.perturber.cells.segment[c] == segments.ids[0] and c != single]
    assert share[mates] == pytest.approx(1 / (size - 1))
    assert share[done.perturber.cells.segment != segments.ids[0]] == 0


def test_a_rotation_states_only_its_box() -> None:
    table = hard_table(3, 60, ["whole", "binary"])
    segments = cut(table, ("x0", 0.5))
    law = Rotation(within="segment").prepare(table, numbers_of(table), segments).law()
    released = law.sample(table.columns, segments.ids, range(60), STREAMS)
    widths = segments.intervals["x0"].width * segments.intervals["x1"].width
    found = law.log_prob(table.columns, released, segments.ids)
    assert found == pytest.approx(-np.log(widths[segments.ids]))
