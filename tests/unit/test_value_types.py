from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal

import numpy as np
import pytest

from hushwood.trees.options import GrowOptions
from hushwood.value_types import fits, in_words

FITTING: list[tuple[Any, Any]] = [
    (1, float),
    (np.float64(0.5), float),
    (np.int64(3), int),
    (True, bool),
    (None, int | None),
    ("a", Literal["a", "b"]),
    ([1, 2], tuple[int, ...]),
    ((1, 2.5), tuple[float, float]),
    (((1.0,), [2]), tuple[tuple[float, ...], ...]),
    ({"a": {"b": object()}}, Mapping[str, Mapping[str, Any]]),
    (["a"], Sequence[str]),
    (GrowOptions(), GrowOptions),
    (2, Annotated[int | None, "something"]),
]
OTHERS: list[tuple[Any, Any, str]] = [
    ("1", float, "a number"),
    (True, int, "a whole number"),
    (1, bool, "True or False"),
    (0.5, int | None, "a whole number or None"),
    ("c", Literal["a", "b"], "'a' or 'b'"),
    ("ab", tuple[str, ...], "a list of texts"),
    ([1, 2, 3], tuple[float, float], "a list of numbers"),
    ({1: 2}, Mapping[str, float], "a mapping from texts to numbers"),
    ({"a": 5}, Mapping[str, Mapping[str, Any]], "a mapping from texts to mappings from texts to Any"),
    ("c45", GrowOptions, "GrowOptions"),
    ([[1], 2], tuple[tuple[float, ...], ...], "a list of lists of numbers"),
]


@pytest.mark.parametrize(("value", "hint"), FITTING)
def test_values_that_fit(value: Any, hint: Any) -> None:
    assert fits(value, hint)


@pytest.mark.parametrize(("value", "hint", "words"), OTHERS)
def test_values_that_do_not_fit_and_what_is_asked_for(value: Any, hint: Any, words: str) -> None:
    assert not fits(value, hint)
    assert in_words(hint) == words
