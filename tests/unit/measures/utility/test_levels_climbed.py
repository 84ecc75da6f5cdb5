from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hushwood.measures.utility.levels_climbed import category_levels, numeric_levels
from hushwood.tables.automatic_taxonomies import automatic_taxonomy
from hushwood.tables.generalised import Generalised, category_cells, numeric_cells
from hushwood.tables.taxonomies import Taxonomy
from mixed_tables import category
from oracles import generalisation

LETTERS = ("D", "E", "F", "G", "H")
SURVEY = Taxonomy("letter", {x: (x, "B" if x in "DE" else "C", "A") for x in LETTERS})
AGES = Taxonomy(
    "age", {str(a): (str(a), f"{a // 10}0-{a // 10}9", "<50" if a < 50 else ">=50", "*") for a in range(90)}
)


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
