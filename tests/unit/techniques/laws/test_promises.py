from __future__ import annotations

import pytest

from hushwood.errors import InputError
from hushwood.techniques.laws.promises import (
    COPIED,
    GENERALISED,
    INSIDE,
    Promise,
    dealt,
    inside_if,
    promise_from_json,
    redrawn,
)

BLANKED = Promise("added")


@pytest.mark.parametrize(
    ("first", "second", "left"),
    [
        (COPIED, INSIDE, INSIDE),
        (INSIDE, INSIDE, INSIDE),
        (INSIDE, BLANKED, Promise("added", "inside")),
        (COPIED, dealt("table"), dealt("table")),
        (dealt("segment"), BLANKED, Promise("any", "dealt", "segment")),
        (redrawn("held", "segment"), redrawn("inside", "table"), redrawn("inside", "table")),
        (inside_if(bounded=False), INSIDE, Promise(values="any")),
        (Promise(lone_moves=True), COPIED, Promise(lone_moves=True)),
    ],
    ids=str,
)
def test_two_techniques_on_one_column_keep_what_both_promise(
    first: Promise, second: Promise, left: Promise
) -> None:
    assert first.then(second) == second.then(first) == left


@pytest.mark.parametrize(
    "promise",
    [COPIED, INSIDE, GENERALISED, dealt("table"), redrawn("held", "segment"), Promise(lone_moves=True)],
    ids=str,
)
def test_a_manifest_gives_the_promise_back(promise: Promise) -> None:
    assert promise_from_json(promise.to_json() | {"gaps": 3}) == promise


def test_the_manifest_is_short() -> None:
    assert INSIDE.to_json() == {"missing": "same", "values": "inside"}
    assert dealt("table").to_json() == {"missing": "dealt", "values": "dealt", "within": "table"}


@pytest.mark.parametrize("said", [{"missing": "lost"}, {"values": "new"}, {"within": "city"}], ids=str)
def test_words_of_another_version_are_refused(said: dict[str, str]) -> None:
    with pytest.raises(InputError, match="does not know; use a newer one"):
        promise_from_json(said)
