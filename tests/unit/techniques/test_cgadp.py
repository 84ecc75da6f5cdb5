"""C-GADP: every segment's own distributions, and ranks that go together as before."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import ks_2samp, spearmanr

from hushwood.random_streams import Streams
from hushwood.segments.partition import whole_table
from hushwood.techniques.gadp import Cgadp
from support.correlated_tables import cut, hard_table, numbers_of, outside, released_by

KINDS = ["real", "whole", "zeros", "single", "decimal", "shared"]


@pytest.mark.parametrize("rho", [0.0, 0.6])
def test_every_segment_has_its_own_distributions(rho: float) -> None:
    table = hard_table(1, 4000, KINDS)
    segments = cut(table, ("x0", 0.4), ("x2", 0.8))
    found = released_by(Cgadp(rho, within="segment"), table, segments)
    for s in range(4):
        here = segments.ids == s
        for name in numbers_of(table):
            test = ks_2samp(table.columns[name][here], found[name][here], method="asymp")
            assert test.pvalue > 1e-3, (s, name)


def test_the_class_keeps_its_link_and_the_table_its_distributions() -> None:
    table = hard_table(2, 3000, ["real", "shared"])
    found = released_by(Cgadp(), table, whole_table(table))
    label = table.columns["k"]
    for name in numbers_of(table):
        assert ks_2samp(table.columns[name], found[name], method="asymp").statistic < 0.05
        old, new = (np.corrcoef(values, label)[0, 1] for values in (table.columns[name], found[name]))
        assert new == pytest.approx(old, abs=0.05)


def test_rank_correlations_within_sampling_error() -> None:
    table = hard_table(3, 500, ["real", "shared", "near 1e-6", "large"])
    names = numbers_of(table)
    old = spearmanr(np.stack([table.columns[name] for name in names], axis=1))[0]
    new = []
    perturber = Cgadp(given=()).prepare(table, names, whole_table(table))
    for key in range(40):
        found = perturber.perturb(table.columns, np.zeros(500, int), range(500), Streams(bytes([key] * 32)))
        new.append(spearmanr(np.stack([found[name] for name in names], axis=1))[0])
    # A correlation of ranks in 500 records has a standard error of at most 1 / √499.
    assert np.abs(np.mean(new, axis=0) - old).max() < 4 / np.sqrt(499 * 40) + 0.005
    assert np.std(new, axis=0).max() < 1.3 / np.sqrt(499)


@pytest.mark.parametrize("rho", [0.3, 0.9])
def test_rho_is_the_correlation_of_old_and_new_ranks(rho: float) -> None:
    table = hard_table(4, 2000, ["real", "large"])
    found = released_by(Cgadp(rho, given=()), table, whole_table(table))
    for name in numbers_of(table):
        wanted = 6 / np.pi * np.arcsin(rho / 2)
        assert spearmanr(table.columns[name], found[name])[0] == pytest.approx(wanted, abs=0.06)


@pytest.mark.parametrize("within", ["table", "segment"])
@pytest.mark.parametrize("given", [(), None, ("job", "x5")])
def test_releases_stay_inside(within: str, given: tuple[str, ...] | None) -> None:
    table = hard_table(5, 300, [*KINDS, "constant", "offset", "double"], gaps=0.1)
    segments = cut(table, ("x0", 0.5), ("x3", 0.95))
    technique = Cgadp(0.2, within=within, given=given)  # type: ignore[arg-type]
    assert outside(table, segments, technique.within, released_by(technique, table, segments)) == []
