from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hushwood.measures.utility.column_losses import ColumnLoss, column_loss
from hushwood.tables.generalised import Generalised, category_cells, numeric_cells
from hushwood.tables.schema import Attribute
from mixed_tables import category, number
from oracles import generalisation

LETTERS = ("D", "E", "F", "G", "H")


def of_texts(texts: Sequence[str], names: Sequence[str] = LETTERS) -> ColumnLoss:
    """The loss of a categorical column whose original is D, E, F, G, H in turn."""
    joint = (*names, *dict.fromkeys(t for t in texts if t not in names))
    covers = category_cells(joint, names).covers
    released = np.array([joint.index(text) for text in texts], np.int32)
    original = np.arange(len(texts), dtype=np.int32) % max(len(names), 1)
    suppressed = np.array([text == "*" for text in texts])
    return column_loss(category("letter", joint), original, released, Generalised(suppressed, covers=covers))


def of_ranges(texts: Sequence[str | None], attribute: Attribute) -> ColumnLoss:
    low, high = attribute.low or 0.0, attribute.high or 0.0
    cells = numeric_cells(pl.Series(texts, dtype=pl.String), low, high)
    original = np.full(len(texts), low)
    return column_loss(
        attribute, original, cells.values, Generalised(cells.suppressed, cells.low, cells.high)
    )


def test_the_surveys_example() -> None:
    """F generalised to F, G, H of five values: LM (3 - 1) / (5 - 1), ILoss (3 - 1) / 5 (errata S3)."""
    found = of_texts(["{F, G, H}"] * 50)
    assert (found.lm, found.iloss) == pytest.approx((0.5, 0.4))


def test_the_root_loses_all_by_lm_and_nearly_all_by_iloss() -> None:
    found = of_texts(["*"])
    assert (found.lm, found.iloss, found.suppressed) == pytest.approx((1.0, 0.8, 1))


def test_the_surveys_numeric_example() -> None:
    """Errata S7: 3-7 out of 1 to 10 is 4/9 by LM; five whole numbers out of ten are 4/10 by ILoss."""
    found = of_ranges(["3-7"], number("x", 1, 10))
    assert (found.lm, found.iloss) == pytest.approx((4 / 9, 4 / 10))
    assert of_ranges(["3-7"], number("x", 1, 10, None)).iloss == pytest.approx(4 / 9)
    assert of_ranges(["3-7"], number("x", 1, 10, 1)).iloss == pytest.approx(40 / 91)


def test_ranges_count_as_far_as_they_are_inside_the_domain() -> None:
    assert of_ranges(["0-10", "90-200", "*", "5"], number("x", 5, 105)).open.tolist() == [
        0.05,
        0.15,
        1.0,
        0.0,
    ]


def test_values_of_a_single_value_lose_nothing() -> None:
    assert of_ranges(["*", "7"], number("x", 7, 7)).lm == 0
    assert of_texts(["*", "D"], ["D"]).lm == 0


def test_without_a_domain_there_is_no_loss() -> None:
    void = Attribute("x", "numeric")
    found = column_loss(void, np.full(2, np.nan), np.array([1.0, np.nan]), None)
    assert (found.lm, found.cells) == (0, 1)


def test_unknown_texts_are_left_out_and_counted() -> None:
    found = of_texts(["X", "D", "{F, G, H}"])
    assert (found.unknown, found.cells, found.lm) == (1, 2, 0.25)


def test_missing_cells_beyond_the_originals_share_are_lost() -> None:
    """One of four is missing in the original and three of four in the release: two went missing, one is known."""
    original, released = np.array([0, 1, 2, -1], np.int32), np.array([-1, 1, -1, -1], np.int32)
    found = column_loss(category("x", "abc"), original, released, None)
    assert (found.newly_missing, found.cells) == (2, 3)
    assert (found.lm, found.iloss) == pytest.approx((2 / 3, 2 / 3 * 2 / 3))


def test_missing_cells_may_change_places() -> None:
    original, released = np.array([np.nan, 1, 2]), np.array([1, 2, np.nan])
    assert column_loss(number("x", 1, 2), original, released, None).lm == 0
    assert column_loss(number("x", 1, 2), original, released[2:], None).newly_missing == 0


def test_columns_without_anything() -> None:
    found = column_loss(category("x", ()), np.full(2, -1, np.int32), np.full(2, -1, np.int32), None)
    assert (found.cells, found.lm, found.iloss) == (0, 0, 0)


@given(st.lists(st.sets(st.sampled_from(LETTERS), min_size=1), min_size=1))
def test_sets_have_the_oracles_loss(sets: list[set[str]]) -> None:
    found = of_texts([f"{{{', '.join(sorted(chosen))}}}" for chosen in sets])
    lm = [generalisation.categorical_lm(chosen, LETTERS) for chosen in sets]
    iloss = [generalisation.categorical_iloss(chosen, LETTERS) for chosen in sets]
    assert found.open.tolist() == pytest.approx(lm)
    assert (found.lm, found.iloss) == pytest.approx((np.mean(lm), np.mean(iloss)))


whole = st.integers(-50, 50)


@given(st.lists(st.tuples(whole, whole).map(sorted), min_size=1), st.tuples(whole, st.integers(1, 60)))
def test_ranges_have_the_oracles_loss(ranges: list[list[int]], domain: tuple[int, int]) -> None:
    low, high = domain[0], sum(domain)
    found = of_ranges([f"{a}..{b}" for a, b in ranges], number("x", low, high))
    assert found.open.tolist() == pytest.approx(
        [generalisation.numeric_lm(a, b, low, high) for a, b in ranges]
    )
    inside = [(a, b) for a, b in ranges if low <= a and b <= high]
    for a, b in inside:
        one = of_ranges([f"{a}..{b}"], number("x", low, high))
        assert one.iloss == pytest.approx(generalisation.whole_number_iloss(a, b, low, high))


@given(
    st.lists(st.tuples(whole, whole).map(sorted), min_size=1),
    st.integers(-99, 99),
    st.sampled_from([1, 2, 5]),
)
def test_shift_and_scale_do_not_matter(ranges: list[list[int]], shift: int, scale: int) -> None:
    plain = of_ranges([f"[{a}, {b}]" for a, b in ranges], number("x", -50, 50, None))
    moved_texts = [f"[{a * scale + shift}, {b * scale + shift}]" for a, b in ranges]
    moved = of_ranges(moved_texts, number("x", -50 * scale + shift, 50 * scale + shift, None))
    assert plain.lm == pytest.approx(moved.lm)
