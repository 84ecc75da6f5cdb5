"""What the papers print: every file is read, every number has its place, every erratum exists."""

from __future__ import annotations

import math
import re
from collections import Counter
from importlib.resources import files

import pytest

from hushwood_papers.registry import EXPERIMENTS
from hushwood_papers.reproducing.printed_numbers import Printed, PrintedClaim, PrintedNumber, printed

# The last number of each chapter of the list of errata.
ERRATA = {"A": 10, "B": 10, "C": 15, "D": 16, "E": 10, "F": 5, "G": 17, "T": 18, "S": 11}
UNITS = {"", "%", "bits", "records", "points", "rules", "leaves", "trees", "seconds"}


def known_errata() -> set[str]:
    return {f"{chapter}{number}" for chapter, last in ERRATA.items() for number in range(1, last + 1)}


def told_of(found: Printed) -> tuple[PrintedNumber | PrintedClaim, ...]:
    return (*found.numbers, *found.claims)


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_every_number_and_sentence_has_its_place(name: str) -> None:
    found = printed(name)

    assert found.paper.strip() or {told.source for told in told_of(found)} <= {"ours"}
    for told in told_of(found):
        assert told.key.strip()
        assert told.source.strip()
        assert told.page.strip() or re.search("section|^ours$", told.source.lower()), told


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_numbers_are_numbers_and_tolerances_are_not_negative(name: str) -> None:
    for number in printed(name).numbers:
        assert math.isfinite(number.value), number
        assert math.isfinite(number.tolerance), number
        assert number.tolerance >= 0, number
        assert number.unit in UNITS, number
        assert number.what.strip(), number


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_every_erratum_exists(name: str) -> None:
    for told in told_of(printed(name)):
        assert set(re.split(r", | and ", told.errata)) - {""} <= known_errata(), told
        for text in (told.note, told.cannot):
            named = re.findall(r"errata ([A-Z]\d+)", text)
            assert set(named) <= known_errata(), told


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_sentences_fit_together(name: str) -> None:
    """A reason goes on after a colon and gets its full stop; a note is a sentence of its own."""
    for told in told_of(printed(name)):
        assert not told.cannot.endswith("."), told
        assert not told.note or told.note.endswith((".", "!", "?", ")")), told


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_no_two_rows_are_the_same(name: str) -> None:
    found = printed(name)
    rows = Counter((number.source, number.page, number.what, number.value) for number in found.numbers)
    claims = Counter(claim.key for claim in found.claims)

    assert [row for row, times in rows.items() if times > 1] == []
    assert [key for key, times in claims.items() if times > 1] == []
    assert not {number.key for number in found.numbers} & {claim.key for claim in found.claims}


def test_numbers_that_are_no_target_are_left_out_of_those_to_be_drawn() -> None:
    number = PrintedNumber("a", "Table 1", "page 1", "first run", 1.0, 0.0)
    second = PrintedNumber("a", "Table 1", "page 1", "second run", 2.0, 0.0)
    copied = PrintedNumber("b", "Table 1", "page 1", "third run", 3.0, 0.0, cannot="a copy")

    assert Printed("A paper.", (number, second, copied)).by_key() == {"a": [1.0, 2.0]}


def test_every_file_belongs_to_an_experiment() -> None:
    folder = files("hushwood_papers") / "printed"

    assert {path.name.removesuffix(".toml") for path in folder.iterdir()} == set(EXPERIMENTS)


def test_the_digits_after_the_point_are_those_in_the_file() -> None:
    by_what = {number.what: number for number in printed("forest-framework").numbers}

    assert {number.digits for number in by_what.values() if number.unit == "bits"} == {3}
    assert by_what["Wine: records"].digits == 0
