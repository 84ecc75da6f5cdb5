from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hushwood.measures.columns.column_losses import ColumnLoss, category_levels, column_loss, numeric_levels
from hushwood.tables.recoding.cells import Generalised, category_cells, numeric_cells
from hushwood.tables.recoding.taxonomies import Taxonomy, automatic_taxonomy
from hushwood.tables.schema import Attribute
from oracles import generalisation
from support.mixed_tables import category, number

LETTERS = ("D", "E", "F", "G", "H")
LETTERS = ("D", "E", "F", "G", "H")
SURVEY = Taxonomy("letter", {x: (x, "B" if x in "DE" else "C", "A") for x in LETTERS})
AGES = Taxonomy(
    "age", {str(a): (str(a), f"{a // 10}0-{a // 10}9", "<50" if a < 50 else ">=50", "*") for a in range(90)}
)


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


def levels(text: str, taxonomy: Taxonomy = SURVEY) -> int:
    texts = (*LETTERS, text)
    return int(category_levels(texts, category_cells(texts, LETTERS, taxonomy).covers, taxonomy)[-1])


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("F", 0),
        ("{F}", 0),
        ("C", 1),
        ("A", 2),
        ("*", 2),
        ("F|G", 1),
        ("F|D", 2),
        ("{C, D}", 2),
        ("unknown", 0),
    ],
)
def test_levels_in_the_surveys_figure(text: str, expected: int) -> None:
    assert levels(text) == expected


def test_a_group_with_one_value_is_on_its_own_level() -> None:
    chain = Taxonomy("letter", {"D": ("D", "B", "Y", "A"), **{x: (x, "C", "C", "A") for x in "EFGH"}})
    assert [levels(text, chain) for text in ("D", "B", "Y", "C", "A")] == [0, 1, 2, 1, 3]


def test_values_that_the_taxonomy_lacks_go_straight_to_the_root() -> None:
    part = Taxonomy("letter", {x: SURVEY.levels[x] for x in "FG"})
    assert [levels(text, part) for text in ("F|G", "F|D", "D")] == [1, 2, 0]


def ages(*texts: str | None, taxonomy: Taxonomy | None) -> list[int]:
    cells = numeric_cells(pl.Series(texts, dtype=pl.String), 0, 89)
    found = numeric_levels(Generalised(cells.suppressed, cells.low, cells.high), taxonomy)
    return [int(level) for level in found]


def test_numbers_ranges_and_everything() -> None:
    assert ages("23", "20-30", ">=50", "*", None, taxonomy=None) == [0, 1, 1, 2, 0]


def test_ranges_in_a_taxonomy_over_numbers() -> None:
    found = ages("23", "20-29", "22-25", "10-29", "<50", "45-55", ">=50", "*", None, taxonomy=AGES)
    assert found == [0, 1, 1, 2, 2, 3, 2, 3, 0]


def test_groups_without_numbers_in_their_names_hold_no_ranges() -> None:
    named = Taxonomy("age", {"1": ("1", "young", "*"), "80": ("80", "old", "*")})
    assert ages("1-2", "5", taxonomy=named) == [2, 0]


def test_categorical_cells_have_no_numeric_levels() -> None:
    assert numeric_levels(Generalised(np.zeros(2, bool), covers=np.eye(2, dtype=bool)), None).tolist() == [
        0,
        0,
    ]


@given(st.integers(4, 12), st.data())
def test_sets_have_the_oracles_level(size: int, data: st.DataObject) -> None:
    names = tuple(f"v{i:02}" for i in range(size))
    counts = np.array(data.draw(st.lists(st.tuples(*[st.integers(0, 9)] * 2), min_size=size, max_size=size)))
    taxonomy = automatic_taxonomy(category("x", names), counts)
    chosen = data.draw(st.sets(st.sampled_from(names), min_size=1))
    texts = (*names, f"{{{', '.join(chosen)}}}")
    covers = category_cells(texts, names, taxonomy).covers
    found = category_levels(texts, covers, taxonomy)
    assert found[-1] == generalisation.level(chosen, taxonomy.levels)
    assert (found[:-1] == 0).all()
