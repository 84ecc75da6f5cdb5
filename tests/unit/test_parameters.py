"""Parameters as texts, read by what a dataclass declares."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, ClassVar, Literal

import numpy as np
import pytest

from hushwood.errors import InputError
from hushwood.parameters import (
    FINITE,
    SHARE,
    Above,
    AtLeast,
    Between,
    Checked,
    OneOf,
    Option,
    check_settings,
    parameters_of,
    settings_from_texts,
)
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
        ("thing.many=3.5", "'3.5' is not a value"),
        ("thing.many=9223372036854775807", "is not a value"),
        ("thing.loud=yes", "'yes' is not a value"),
        ("thing.way=dwn", "Did you mean 'down'"),
        ("thing.rows=1,x", "is not a value"),
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
    assert parameters_of(TECHNIQUES["GADP"]).keys() == {"rho", "within", "given", "security", "blur"}
    assert parameters_of(TECHNIQUES["MDAV"]).keys() == {"k", "within"}
    for technique in TECHNIQUES.values():
        parameters_of(technique)


@dataclass(frozen=True, slots=True)
class Limits(Checked):
    """One constraint of every kind."""

    acronym: ClassVar[str] = "LIMITS"
    size: Annotated[int, AtLeast(2)] = 2
    most: Annotated[int | None, AtLeast(1)] = None
    share: Annotated[float, Between(0, 1, open_low=True)] = 0.5
    spread: Annotated[float, Above(0, meaning="a share of the variance")] = 1.0
    rho: Annotated[float, Between(0, 1, open_high=True)] = 0.0
    theta: Annotated[float, SHARE] | None = None
    threshold: Annotated[float, FINITE] = 0.0
    way: Literal["up", "down"] = "up"
    mode: Annotated[str, OneOf(("fast", "slow"))] = "fast"
    weights: Mapping[str, Annotated[float, SHARE]] = field(default_factory=dict)
    shares: tuple[Annotated[float, SHARE], ...] = ()
    records: Annotated[int, AtLeast(1), Option("Records.", spelling=("-r", "--records"))] = 1


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"size": 1}, "size of LIMITS must be 2 or more; 1 was given."),
        ({"size": 2.5}, "size of LIMITS must be a whole number, 2 or more; 2.5 was given."),
        ({"size": "3"}, "size of LIMITS must be a whole number, 2 or more; '3' was given."),
        ({"size": None}, "size of LIMITS must be a whole number, 2 or more; None was given."),
        ({"share": "x"}, "share of LIMITS must be a number, above 0 and at most 1; 'x' was given."),
        ({"most": 0}, "most of LIMITS must be 1 or more; 0 was given."),
        ({"share": 0}, "share of LIMITS must be above 0 and at most 1; 0 was given."),
        (
            {"share": math.nan},
            "share of LIMITS must be a finite number, above 0 and at most 1; nan was given.",
        ),
        ({"spread": 0.0}, "spread of LIMITS must be a share of the variance, above 0; 0 was given."),
        (
            {"spread": math.inf},
            "spread of LIMITS must be a finite number, a share of the variance, above 0; inf",
        ),
        ({"rho": 1}, "rho of LIMITS must be at least 0 and below 1; 1 was given."),
        ({"theta": 1.5}, "theta of LIMITS must be between 0 and 1; 1.5 was given."),
        ({"threshold": math.inf}, "threshold of LIMITS must be a finite number; inf was given."),
        ({"way": "dwn"}, "way of LIMITS must be up or down; 'dwn' was given. Did you mean 'down'?"),
        ({"mode": "fats"}, "mode of LIMITS must be fast or slow; 'fats' was given. Did you mean 'fast'?"),
        ({"weights": {"a": 2}}, "weights of LIMITS for 'a' must be between 0 and 1; 2 was given."),
        ({"shares": (0.5, -1)}, "shares of LIMITS must be between 0 and 1; -1 was given."),
        ({"records": 0}, "--records must be 1 or more; 0 was given."),
    ],
)
def test_what_a_declaration_does_not_allow_is_refused(given: dict[str, Any], says: str) -> None:
    with pytest.raises(InputError) as refused:
        Limits(**given)
    assert str(refused.value).startswith(says)


def test_what_a_declaration_allows_is_taken() -> None:
    made = Limits(size=np.int64(7), most=None, share=1, theta=0, weights={"a": 1}, shares=(0, 1))  # type: ignore[arg-type]
    assert type(made.size) is int and made.size == 7
    assert Between(1, meaning="").says() == "1 or more"
    assert Between(high=3).says() == "at most 3"


def test_constraints_leave_texts_as_they_were() -> None:
    assert parameters_of(Limits)["size"]("3") == 3
    assert parameters_of(Limits)["weights"]("a:1") == {"a": 1.0}
    assert parameters_of(Limits)["most"]("3") == 3
