from __future__ import annotations

from typing import Any

import pytest

from hushwood.errors import InputError
from hushwood.releasing.noise_texts import share_from_text
from hushwood.releasing.options import PerturbOptions


@pytest.mark.parametrize(
    ("text", "value"),
    [("1/3", 1 / 3), ("0.25", 0.25), (" 2 / 8 ", 0.25), ("0", 0.0), ("1e-3", 0.001), ("1/", 1.0)],
)
def test_noise_as_text(text: str, value: float) -> None:
    assert share_from_text(text) == value


@pytest.mark.parametrize("text", ["", "a third", "1/0", "1/2/3", "0.3.3"])
def test_what_is_no_noise(text: str) -> None:
    with pytest.raises(InputError, match="a fraction such as 1/3"):
        share_from_text(text)


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"trees": 0}, "--trees must be 1 or more; 0 was given."),
        ({"chunk_rows": 0}, "--chunk-rows must be 1 or more; 0 was given."),
        ({"forest_rows": 0}, "--forest-rows must be 1 or more; 0 was given."),
        ({"min_leaf": 0}, "--min-leaf must be 1 or more; 0 was given."),
        ({"probability": 1.5}, "--probability must be between 0 and 1; 1.5 was given."),
        ({"capt": "strikt"}, "Did you mean 'strict'?"),
    ],
)
def test_values_that_make_no_sense_are_refused_by_the_option_name(given: dict[str, Any], says: str) -> None:
    with pytest.raises(InputError) as refused:
        PerturbOptions(**given)
    assert says in str(refused.value)


def test_the_forest_is_grown_as_asked_or_as_suits_the_table() -> None:
    assert PerturbOptions("forest-framework").grow_options(1000).min_leaf == 45
    grown = PerturbOptions("forest-framework", min_leaf=7, variant="j48").grow_options(1000)
    assert (grown.min_leaf, grown.variant) == (7, "j48")


def test_by_default_leaves_are_as_large_as_segments_must_be() -> None:
    assert PerturbOptions().technique == "segment-shuffle"
    assert [PerturbOptions().grow_options(n).min_leaf for n in (30, 60, 300, 499, 500, 30_162)] == [
        *(10, 10, 30, 49, 50, 50)
    ]
    assert PerturbOptions(k=20).grow_options(1000).min_leaf == 20
    assert PerturbOptions(k=80).grow_options(100).min_leaf == 50


def test_no_segment_is_larger_than_the_table() -> None:
    assert PerturbOptions(k=5_000).smallest_segment(3_000) == 3_000
    assert PerturbOptions(k=5_000).smallest_segment(6_000) == 5_000
    assert PerturbOptions(k=2).smallest_segment(1) == 2


def test_a_level_is_rare_below_the_smallest_segment() -> None:
    assert PerturbOptions(redraw=0).rare_limit(1000) == 50
    assert PerturbOptions(k=20, redraw=0).rare_limit(1000) == 20
    assert PerturbOptions("forest-framework").rare_limit(1000) == 5
    assert PerturbOptions(rare_below=3).rare_limit(1000) == 3


def test_rare_levels_of_drawn_people_are_grouped_below_fifteen() -> None:
    """However often a level of one person is drawn, it says that the person is there."""
    for drawn in (PerturbOptions(), PerturbOptions(redraw=3), PerturbOptions(k=20)):
        assert (drawn.rare_rule, drawn.rare_limit(1000)) == ("group", 15)
    assert PerturbOptions(rare="keep").rare_rule == "keep"
    for other in (PerturbOptions(redraw=0), PerturbOptions("forest-framework")):
        assert other.rare_rule == "keep"
