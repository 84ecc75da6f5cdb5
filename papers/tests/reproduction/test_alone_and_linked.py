"""Our own finding at its small size: who is linked on Wine and Credit, and what SERS sees of it."""

from __future__ import annotations

import pytest

from hushwood_papers.alone_and_linked import releases
from hushwood_papers.alone_and_linked.alone_and_linked import EXPERIMENT
from hushwood_papers.alone_and_linked.charts_and_tables import claims_markdown, finding_markdown
from hushwood_papers.alone_and_linked.claims import correlation_key
from hushwood_papers.alone_and_linked.releases import alone_key, count_key
from hushwood_papers.paper_tables import PaperTables
from hushwood_papers.protocol import Measured
from hushwood_papers.reproducing.printed_numbers import printed
from hushwood_papers.reproducing.running import measured_here
from support.real_data import data_folder


@pytest.fixture(scope="module")
def measured() -> Measured:
    return measured_here(EXPERIMENT, EXPERIMENT.small, PaperTables(data_folder()))


def number(measured: Measured, table: str, way: str, what: str) -> float:
    return measured.numbers[releases.key(table, way, what)][0]


def test_gadp_and_rt_let_many_be_linked_where_there_are_categories(measured: Measured) -> None:
    """Of 523 records of Credit: FF 11, F 38, RT 165, GADP 310; a blind guesser finds one."""
    linked = {
        way: number(measured, "crx", way, releases.LINKED)
        for way in (releases.FF, releases.F, releases.RT, releases.GADP)
    }
    assert measured.numbers[releases.records_key("crx")] == [523]
    found = {way: round(share * 523 / 100) for way, share in linked.items()}
    assert found == {releases.FF: 11, releases.F: 38, releases.RT: 165, releases.GADP: 310}


def test_they_keep_the_categories_by_which_people_are_found(measured: Measured) -> None:
    kept = {
        way: round(number(measured, "crx", way, releases.SAME_CATEGORIES))
        for way in (releases.FF, releases.F, releases.RT, releases.GADP)
    }
    assert kept == {releases.FF: 65, releases.F: 78, releases.RT: 90, releases.GADP: 100}


def test_sers_cannot_tell_a_release_from_the_table_itself(measured: Measured) -> None:
    """Within 0.015 bits of each other, though all records of the untouched table are linked."""
    ways = (releases.UNTOUCHED, releases.FF, releases.F, releases.RT, releases.GADP)
    bits = [number(measured, "crx", way, releases.SERS) for way in ways]
    assert max(bits) - min(bits) == pytest.approx(0.0142, abs=1e-3)
    assert number(measured, "crx", releases.UNTOUCHED, releases.LINKED) == 100
    assert measured.numbers[correlation_key("crx", releases.SERS)][0] == pytest.approx(0.5)
    assert measured.numbers[correlation_key("crx", releases.RI)][0] == pytest.approx(-1.0)


def test_more_trees_leave_more_records_alone(measured: Measured) -> None:
    """8 of Wine's 143 records have three leaves to themselves, 24 have eight."""
    shares = [measured.numbers[alone_key("wine", "paper", trees)][0] for trees in (1, 2, 3, 5, 8)]
    assert [round(share * 1.43) for share in shares] == [0, 3, 8, 14, 24]
    assert number(measured, "wine", releases.FF, releases.ALONE) == pytest.approx(shares[2])


def test_three_trees_of_wine_have_eighteen_intersections(measured: Measured) -> None:
    counts = [measured.numbers[count_key("wine", "paper", trees)][0] for trees in (1, 2, 3, 5, 8)]
    assert (counts[0], counts[2], counts[4]) == (4, 18, 40)
    assert counts == sorted(counts)
    assert "Wine 4, 18, 40 (7.9)" in measured.claims["three trees are manageable"].numbers


def test_what_holds_of_the_words(measured: Measured) -> None:
    assert {name: finding.holds for name, finding in measured.claims.items()} == {
        "comparable security": False,
        "only slightly worse security": True,
        "SERS tells security": False,
        "three trees are manageable": False,
        "hardly anybody is alone": False,
        "no class by re-identification": True,
        "the entropy stays high": False,
    }


def test_charts_and_tables_are_of_the_same_numbers(measured: Measured) -> None:
    said = finding_markdown(measured)
    assert "| gadp | – | 59.3 |" in said
    assert "| blind guesser | 0.70 | 0.19 |" in said
    claims = printed("alone-and-linked").claims
    words = claims_markdown(measured, {claim.key: claim.says for claim in claims})
    assert words.count("Does not hold") == 5
    charts = EXPERIMENT.draw(measured, {})
    assert [chart.title for chart in charts] == [
        "Utility and linkage",
        "Records linked",
        "Records alone in their intersection",
        "SERS and linkage",
        "H_RI and linkage",
    ]
    assert ("Credit", "gadp", "59.27 %") in [(row[0], row[1], row[2]) for row in charts[1].rows]
