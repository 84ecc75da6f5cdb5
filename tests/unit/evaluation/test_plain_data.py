"""Dataclasses as plain data and back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated

import pytest

from hushwood.evaluation.plain_data import INLINED, OPTIONAL, Key, from_plain, to_plain


@dataclass(frozen=True)
class Domain:
    low: float
    high: float | None


@dataclass(frozen=True)
class Column:
    name: Annotated[str, Key("class")]
    domain: Annotated[Domain | None, INLINED] = None
    rounded: Annotated[bool, OPTIONAL] = False


@dataclass(frozen=True)
class Whole:
    columns: tuple[Column, ...]
    by_name: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    first: Column | None = None


@pytest.mark.parametrize(
    ("value", "plain"),
    [
        (Column("a"), {"class": "a"}),
        (Column("a", Domain(1.0, None)), {"class": "a", "low": 1.0, "high": None}),
        (Column("a", rounded=True), {"class": "a", "rounded": True}),
        (Whole((Column("a"),)), {"columns": [{"class": "a"}], "by_name": {}, "first": None}),
        (
            Whole((), {"x": (1, 2)}, Column("b", Domain(0.0, 1.0))),
            {"columns": [], "by_name": {"x": [1, 2]}, "first": {"class": "b", "low": 0.0, "high": 1.0}},
        ),
    ],
)
def test_plain_data_and_dataclasses_are_the_same(value: object, plain: dict[str, object]) -> None:
    assert to_plain(value) == plain
    assert list(to_plain(value)) == list(plain)
    assert from_plain(type(value), plain) == value


def test_unknown_keys_are_ignored_and_missing_ones_need_a_default() -> None:
    assert from_plain(Column, {"class": "a", "later": 1}) == Column("a")
    assert from_plain(Whole, {"columns": []}) == Whole(())
    with pytest.raises(KeyError):
        from_plain(Column, {"low": 1.0, "high": 2.0})
