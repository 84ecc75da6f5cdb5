"""The tables of docs/findings.md from numbers that were made up."""

from __future__ import annotations

from hushwood.experiments.alone_and_linked import names
from hushwood.experiments.alone_and_linked.alone_segments import count_key
from hushwood.experiments.alone_and_linked.alone_segments import key as alone_key
from hushwood.experiments.alone_and_linked.claims import correlation_key
from hushwood.experiments.alone_and_linked.markdown import (
    claims_markdown,
    finding_markdown,
    page_with_numbers,
)
from hushwood.experiments.protocol import Finding, Measured

NUMBERS = {
    names.records_key("wine"): [128.0],
    names.key("wine", names.FF, names.LINKED): [2.0, 4.0],
    names.key("wine", names.FF, names.SERS): [6.5],
    correlation_key("wine", names.SERS): [0.25],
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


def test_a_page_gets_new_numbers_and_keeps_its_words() -> None:
    page = "A\n<!-- claims -->\nstale\n<!-- end of claims -->\nB\n<!-- tables -->\nstale\n<!-- end of tables -->\nC\n"
    measured = Measured(NUMBERS, {"a": Finding(True, "1 of 2")})
    new = page_with_numbers(page, measured, {"a": "First."})
    assert new.startswith('A\n<!-- claims -->\n- "First." **Holds**: 1 of 2.\n<!-- end of claims -->\nB\n')
    assert new.endswith("\n<!-- end of tables -->\nC\n")
    assert "stale" not in new
    assert page_with_numbers(new, measured, {"a": "First."}) == new
