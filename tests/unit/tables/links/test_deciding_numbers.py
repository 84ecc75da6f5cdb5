"""Numbers that decide a class by a few limits."""

from __future__ import annotations

import numpy as np
import polars as pl

from hushwood.arrays import Array
from hushwood.tables.links.finding import find_links
from hushwood.tables.links.links import Determines, Link
from hushwood.tables.reading import read

CHANCE = np.random.default_rng(12)
SCORE = CHANCE.normal(50, 9, 800).round(3)


def found(classes: Array, score: Array = SCORE) -> list[Link]:
    other = CHANCE.normal(0, 1, len(score))
    frame = pl.DataFrame({"score": score, "other": other, "class": ["no" if c else "yes" for c in classes]})
    return [each.link for each in find_links(read(frame.fill_nan(None), target="class").table)]


def test_a_class_that_is_a_limit_of_a_number_follows_from_it() -> None:
    assert found(SCORE > 45) == [Determines("score", ("class",))]
    assert found((SCORE > 45) & (SCORE < 60)) == [Determines("score", ("class",))]


def test_one_record_on_the_wrong_side_is_enough() -> None:
    classes = SCORE > 45
    classes[3] = not classes[3]
    assert found(classes) == []


def test_a_limit_that_few_records_pass_says_nothing() -> None:
    assert found(np.sort(SCORE)[-5] < SCORE) == []


def test_missing_numbers_need_one_class() -> None:
    score = np.where(np.arange(800) % 40 == 0, np.nan, SCORE)
    assert found(np.isnan(score) | (score > 45), score) == [Determines("score", ("class",))]
    assert found(np.where(np.isnan(score), np.arange(800) % 80 == 0, score > 45), score) == []
