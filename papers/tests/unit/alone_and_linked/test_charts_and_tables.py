"""The tables of docs/findings.md from numbers that were made up."""

from __future__ import annotations

from hushwood_papers.alone_and_linked import releases
from hushwood_papers.alone_and_linked.charts_and_tables import claims_markdown, finding_markdown
from hushwood_papers.alone_and_linked.claims import correlation_key
from hushwood_papers.alone_and_linked.releases import alone_key, count_key
from hushwood_papers.protocol import Finding, Measured

NUMBERS = {
    releases.records_key("wine"): [128.0],
    releases.key("wine", releases.FF, releases.LINKED): [2.0, 4.0],
    releases.key("wine", releases.FF, releases.SERS): [6.5],
    correlation_key("wine", releases.SERS): [0.25],
    alone_key("wine", "paper", 3): [5.6],
    count_key("wine", "smallest", 8): [40.0],
}


def test_means_with_their_reach_and_what_is_possible() -> None:
    said = finding_markdown(Measured(NUMBERS))
    assert "|  | Wine |" in said
    assert "| forest-framework | 3.0 (2.0-4.0) |" in said
    assert "| blind guesser | 0.78 |" in said
    assert "| most possible | 7.000 |" in said
    assert "| SERS | +0.25 |" in said
    assert "| Wine | the paper's leaves | – | – | 5.6 | – | – |" in said
    assert "| Wine | leaves of 2 | – | – | – | – | 40 |" in said.partition("**Intersections**")[2]


def test_sentences_with_their_verdicts() -> None:
    claims = {"a": Finding(True, "1 of 2"), "b": Finding(False, "2 of 2")}
    said = claims_markdown(Measured({}, claims), {"a": "First.", "b": "Second."})
    assert said == '- "First." **Holds**: 1 of 2.\n- "Second." **Does not hold**: 2 of 2.'
