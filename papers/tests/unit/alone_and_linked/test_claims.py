"""What the papers say about safety, judged by numbers that were made up."""

from __future__ import annotations

import pytest

from hushwood_papers.alone_and_linked import releases
from hushwood_papers.alone_and_linked.claims import claims_of, correlation_key, means, rank_correlations


def numbers(table: str, what: str, **by_way: list[float]) -> dict[str, list[float]]:
    ways = {
        "FF": releases.FF,
        "F": releases.F,
        "GADP": releases.GADP,
        "RT": releases.RT,
        "untouched": releases.UNTOUCHED,
    }
    return {releases.key(table, ways[way], what): values for way, values in by_way.items()}


def linked(table: str, *shares: float) -> dict[str, list[float]]:
    found = dict(zip(("FF", "F", "GADP", "RT"), ([share] for share in shares), strict=True))
    return numbers(table, releases.LINKED, **found) | {releases.records_key(table): [1000.0]}


def test_means_are_told_of_tables_with_all_ways_only() -> None:
    told = linked("wine", 1, 2, 3, 4) | numbers("wbc", releases.LINKED, FF=[1.0, 3.0])
    assert dict(means(told, (releases.FF, releases.F), releases.LINKED)) == {"wine": [1.0, 2.0]}
    assert dict(means(told, (releases.FF,), releases.LINKED)) == {"wine": [1.0], "wbc": [2.0]}


@pytest.mark.parametrize(
    ("shares", "comparable", "slightly"),
    [
        ((2, 1, 3, 4), True, True),
        ((2, 1, 3, 5), False, True),
        ((5, 1, 6, 7), False, False),
        ((1, 9, 9, 9), False, True),
    ],
)
def test_comparable_is_within_two_and_slightly_worse_at_most_twice(
    shares: tuple[float, ...], comparable: bool, slightly: bool
) -> None:
    found = claims_of(linked("wine", *shares))
    assert found["comparable security"].holds is comparable
    assert found["only slightly worse security"].holds is slightly


def test_one_table_is_enough_to_refute() -> None:
    found = claims_of(linked("wine", 2, 2, 2, 2) | linked("crx", 2, 9, 59, 31))
    assert not found["comparable security"].holds
    assert "Credit 2.0, 9.0, 59.0, 31.0 %" in found["comparable security"].numbers
    assert (
        "FF itself is the safest of the four on Wine, Credit" in found["only slightly worse security"].numbers
    )


def test_an_entropy_tells_risk_if_it_falls_while_linkage_rises() -> None:
    told = linked("wine", 1, 2, 3, 4)
    told |= numbers("wine", releases.SERS, FF=[7.4], F=[7.3], GADP=[7.2], RT=[7.1])
    told |= numbers("wine", releases.RI, FF=[1.0], F=[2.0], GADP=[3.0], RT=[4.0])
    found = rank_correlations(told)
    assert found == {correlation_key("wine", releases.SERS): -1.0, correlation_key("wine", releases.RI): 1.0}
    with_ranks = told | {name: [value] for name, value in found.items()}
    assert claims_of(with_ranks)["SERS tells security"].holds


def test_entropies_that_are_all_equal_have_no_rank() -> None:
    told = linked("wine", 1, 2, 3, 4)
    for what in (releases.SERS, releases.RI):
        told |= numbers("wine", what, FF=[7.0], F=[7.0], GADP=[7.0], RT=[7.0])
    assert rank_correlations(told) == {}


def test_the_other_claims_go_both_ways() -> None:
    told = {releases.records_key("wine"): [256.0], releases.records_key("wbc"): [256.0]}
    told |= numbers("wine", releases.RI, F=[4.0]) | numbers("wine", releases.BY_RECORD, F=[50.0])
    told |= numbers("wine", releases.BY_TREE, F=[60.0]) | numbers("wine", releases.LINKED, F=[2.0])
    told |= numbers("wine", releases.LINKED, untouched=[100.0]) | numbers(
        "wbc", releases.LINKED, untouched=[70.0]
    )
    told |= numbers("wbc", releases.LINKED, F=[1.0]) | {releases.alone_key("wine", "paper", 3): [0.5]}
    told |= {releases.count_key("wine", "paper", 3): [25.0]}
    assert {name: one.holds for name, one in claims_of(told).items()} == {
        "three trees are manageable": True,
        "hardly anybody is alone": True,
        "dense tables are safer": True,
        "no class by re-identification": True,
        "the entropy stays high": True,
    }
    told |= numbers("wine", releases.RI, F=[3.9]) | numbers("wine", releases.BY_RECORD, F=[61.0])
    told |= numbers("wbc", releases.LINKED, F=[3.0]) | {releases.alone_key("wine", "paper", 3): [1.0]}
    told |= {releases.count_key("wine", "paper", 3): [26.0]}
    assert not any(one.holds for one in claims_of(told).values())


def test_intersections_are_told_beside_those_of_fewer_and_of_more_trees() -> None:
    told = {releases.records_key("wine"): [180.0]}
    told |= {releases.count_key("wine", "paper", trees): [n] for trees, n in ((1, 4.0), (3, 18.0), (8, 40.0))}
    finding = claims_of(told)["three trees are manageable"]
    assert finding.holds
    assert "Wine 4, 18, 40 (10.0) (manageable: at least 10 records)" in finding.numbers


def test_nothing_measured_is_nothing_claimed() -> None:
    assert claims_of({}) == {}


def test_dense_tables_must_be_safer_by_both_yardsticks() -> None:
    """Fewer times as often as blindly, but a larger part of those that could be linked before."""
    told = {releases.records_key("wine"): [1000.0], releases.records_key("wbc"): [100.0]}
    told |= numbers("wine", releases.LINKED, F=[1.0], untouched=[100.0])
    told |= numbers("wbc", releases.LINKED, F=[2.0], untouched=[70.0])
    found = claims_of(told)["dense tables are safer"]
    assert not found.holds
    assert "Wine 10.0, WBC 2.0" in found.numbers
    assert "Wine 1.0, WBC 2.9" in found.numbers
