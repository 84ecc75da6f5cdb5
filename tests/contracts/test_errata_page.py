"""The page of errata has every number that anything refers to, once and in order, and its links lead somewhere."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from hushwood_papers.registry import EXPERIMENTS
from hushwood_papers.reproducing.printed_numbers import printed

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "errata.md"
ENDINGS = {".py", ".toml", ".md", ".j2"}
FILES = sorted(
    path
    for folder in (ROOT / "src", ROOT / "papers" / "src", ROOT / "docs", ROOT)
    for path in (folder.glob("*") if folder == ROOT else folder.rglob("*"))
    if path.suffix in ENDINGS and path != PAGE
)
CHAPTERS = {"A": 10, "B": 10, "C": 15, "D": 16, "E": 10, "F": 5, "G": 17, "T": 18, "S": 11}

NUMBER = r"[A-Z]\d+"
LISTED = rf"{NUMBER}(?:(?:, | and | or | to |-|–){NUMBER})*"
# A reference may go on in the next line of a docstring, or in the next piece of a string.
BROKEN = re.compile(r'"\s*\n\s*f?"')


def numbers_in(listed: str) -> set[str]:
    """The numbers of a list such as "A1, A6" or "G1 to G3 and G6", those inside a range among them."""
    found = set(re.findall(NUMBER, listed))
    for chapter, first, until, last in re.findall(r"([A-Z])(\d+)(?: to |-|–)([A-Z])(\d+)", listed):
        assert chapter == until, listed
        found |= {f"{chapter}{number}" for number in range(int(first), int(last) + 1)}
    return found


def referred_to(text: str) -> set[str]:
    """The numbers that a file refers to."""
    text = " ".join(BROKEN.sub("", text).split())
    return set().union(*(numbers_in(found) for found in re.findall(rf"\b[Ee]rrata ({LISTED})", text)))


def reasons(experiment: str) -> set[str]:
    """The numbers in the `errata` fields of an experiment's printed numbers and sentences."""
    told = printed(experiment)
    fields = [*(row.errata for row in told.numbers), *(row.errata for row in told.claims)]
    assert all(re.fullmatch(LISTED, field) for field in fields if field), experiment
    return set().union(*map(numbers_in, fields))


def numbered() -> list[str]:
    """The numbers of the page's items, as they stand."""
    return re.findall(rf"^- \*\*({NUMBER})\*\* \S", PAGE.read_text("utf-8"), re.MULTILINE)


def test_the_page_has_every_number_once_and_in_order() -> None:
    assert numbered() == [f"{chapter}{n}" for chapter, last in CHAPTERS.items() for n in range(1, last + 1)]


def test_every_number_that_is_referred_to_is_on_the_page() -> None:
    known = set(numbered())
    strange = {path: unknown for path in FILES if (unknown := referred_to(path.read_text("utf-8")) - known)}
    assert strange == {}


def test_every_reason_of_a_difference_is_on_the_page() -> None:
    found = set().union(*map(reasons, EXPERIMENTS))
    assert found
    assert found <= set(numbered())


def test_the_page_names_no_number_that_it_does_not_have() -> None:
    text = PAGE.read_text("utf-8")
    assert referred_to(text) | set(re.findall(r"\(([A-GST]\d+)\)", text)) <= set(numbered())


def test_the_search_sees_the_files() -> None:
    everything = set().union(*(referred_to(path.read_text("utf-8")) for path in FILES))
    assert {"A6", "B1", "C8", "D5", "E2", "F5", "G4", "S1", "T3"} <= everything


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("(errata B3)", {"B3"}),
        ("Errata B1, B3.", {"B1", "B3"}),
        ("read by errata G1 to G3 and G6. EDUSC", {"G1", "G2", "G3", "G6"}),
        ("(thesis 6.5, errata C6-C8)", {"C6", "C7", "C8"}),
        ("(survey;\nerrata S2-S4, S7)", {"S2", "S3", "S4", "S7"}),
        ('"digit by digit (errata "\n            "D5) and are"', {"D5"}),
        ('"as told (errata"\n    f" G4)"', {"G4"}),
        ("(errata, end)", set()),
        ("the known reason is errata X9", {"X9"}),
    ],
)
def test_a_reference_is_read(text: str, numbers: set[str]) -> None:
    assert referred_to(text) == numbers


def test_links_lead_to_files_and_sections() -> None:
    text = PAGE.read_text("utf-8")
    titles = re.findall(r"^## (.+)$", text, re.MULTILINE)
    sections = {re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-") for title in titles}
    targets = re.findall(r"\]\(([^)\s]+)\)", text)
    assert len(targets) > 50
    assert [t for t in targets if t.startswith("#") and t[1:] not in sections] == []
    files = [t for t in targets if not t.startswith(("#", "https://"))]
    assert [t for t in files if not (PAGE.parent / t.partition("#")[0]).exists()] == []
