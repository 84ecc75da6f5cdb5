"""The keys of the numbers of thesis 7.3, ours and printed: readable names of shares, counts, means and correlations.

`numbers` fills them; `printed/frameworks-adult.toml` and `printed/frameworks-wbc.toml` use the same.
"""

from __future__ import annotations

from hushwood.experiments.thesis_frameworks.ways import Way

PLACES = ("its own records", "the training records", "the test records")
SHORTENED = "a rule that lost its last condition counted as B"


def type_key(way: Way | str, letter: str, shortened: bool = False) -> str:
    """The key of the share of records under rules of one type; `shortened` rules are of Type B, or C by definition.

    >>> type_key("framework", "A"), type_key("framework", "B")
    ('framework: Type A, %', 'framework: Type B by its definition, %')
    """
    reading = f", {SHORTENED}" if shortened else " by its definition" if letter in "BC" else ""
    return f"{way}: Type {letter}{reading}, %"


def mean_key(way: Way | str, column: str) -> str:
    """The key of a mean."""
    return f"{way}: mean of {column}"


def spread_key(column: str) -> str:
    """The key of a standard deviation of the training records."""
    return f"original: standard deviation of {column}"


def correlation_key(way: Way | str, first: str, second: str) -> str:
    """The key of a correlation of two columns, in the order of the table."""
    return f"{way}: correlation of {first} with {second}"


def size_key(place: int) -> str:
    """The key of the number of records on which trees are tried; every release has as many as the training table."""
    return "number of test records" if place == 2 else "number of training records"


def right_key(way: Way | str, place: int) -> str:
    """The key of the percentage of records that are classified rightly."""
    return f"{way}: right on {PLACES[place]}, %"


def count_key(way: Way | str, place: int) -> str:
    """The key of the number of records that are classified rightly."""
    return f"{way}: number right on {PLACES[place]}"


def change_key(way: Way | str) -> str:
    """The key of the largest change of a correlation."""
    return f"{way}: largest change of a correlation"


def shift_key(way: Way | str) -> str:
    """The key of the largest shift of a mean."""
    return f"{way}: largest shift of a mean, in standard deviations"


def unchanged_key(way: Way | str) -> str:
    """The key of the share of numbers that left as they came."""
    return f"{way}: numbers unchanged, %"


def near_key(way: Way | str) -> str:
    """The key of the share of numbers that are close to what they were."""
    return f"{way}: numbers within 0.1 standard deviations, %"
