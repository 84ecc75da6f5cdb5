"""Parameters as texts, read by what a dataclass declares."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

import pytest

from hushwood.declared_settings import check_settings, parameters_of, settings_from_texts
from hushwood.errors import InputError
from hushwood.techniques.registry import TECHNIQUES


@dataclass(frozen=True)
class Thing:
    """One parameter of every kind."""

    many: int = 1
    much: float = 0.5
    loud: bool = False
    word: str = ""
    way: Literal["up", "down"] = "up"
    names: tuple[str, ...] | None = None
    rows: tuple[tuple[float, ...], ...] | None = None
    weights: Mapping[str, float] = field(default_factory=dict)
    hidden: Mapping[str, list[int]] = field(default_factory=dict)


DECLARED = {"thing": Thing}


def read(*texts: str) -> dict[str, Any]:
    return settings_from_texts(texts, DECLARED, "thing", "thing.many=2").get("thing", {})


def test_every_kind_of_value() -> None:
    found = read("thing.many=3", "thing.much=1e-2", "thing.loud=TRUE", "thing.word= x ", "thing.way=down")
    assert found == {"many": 3, "much": 0.01, "loud": True, "word": "x", "way": "down"}
    assert read("thing.names=a, b")["names"] == ("a", "b")
    assert read("thing.names=")["names"] == ()
    assert read("thing.rows=1,0.5;0.5,1")["rows"] == ((1.0, 0.5), (0.5, 1.0))
    assert read("thing.weights=a:2,b:0.5")["weights"] == {"a": 2.0, "b": 0.5}
    Thing(**found)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("thing.many", r"THING\.PARAMETER=VALUE"),
        ("many=3", "such as"),
        ("thin.many=3", "Did you mean 'thing'"),
        ("thing.may=3", "Did you mean 'many'"),
        ("thing.many=3.5", "'3.5' is no value"),
        ("thing.many=9223372036854775807", "is no value"),
        ("thing.loud=yes", "'yes' is no value"),
        ("thing.way=dwn", "Did you mean 'down'"),
        ("thing.rows=1,x", "is no value"),
        ("thing.hidden=1", "no parameter of thing 'hidden'"),
    ],
)
def test_wrong_texts_are_one_sentence(text: str, says: str) -> None:
    with pytest.raises(InputError, match=says):
        read(text)


def test_given_settings_are_checked_by_name() -> None:
    check_settings({"thing": {"many": 3}}, DECLARED, "thing")
    with pytest.raises(InputError, match="Did you mean 'much'"):
        check_settings({"thing": {"muc": 3}}, DECLARED, "thing")


def test_parameters_of_the_techniques_can_be_given() -> None:
    assert parameters_of(TECHNIQUES["GADP"]).keys() == {"rho", "within", "given", "security"}
    assert parameters_of(TECHNIQUES["MDAV"]).keys() == {"k", "within"}
    for technique in TECHNIQUES.values():
        parameters_of(technique)
