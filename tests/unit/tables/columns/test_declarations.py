"""Declarations about columns: what a schema says, and the roles and the class that win over it."""

from __future__ import annotations

from typing import Any

import pytest

from hushwood.errors import InputError
from hushwood.tables.columns.declarations import declared_by_schema, with_roles
from hushwood.tables.schema import Attribute, Schema


@pytest.mark.parametrize(
    ("attribute", "fields"),
    [
        (
            Attribute("a", "numeric", storage="Int64", low=0.0, high=9.0, precision=0),
            {"kind": "numeric", "role": "ordinary", "storage": "Int64"}
            | {"low": 0.0, "high": 9.0, "precision": 0},
        ),
        (
            Attribute("a", "numeric", "confidential", high=9.0),
            {"kind": "numeric", "role": "confidential", "storage": "Float64", "high": 9.0, "precision": None},
        ),
        (
            Attribute("a", "categorical", "class", "Int64", categories=("1", "2"), bins=(1.0,)),
            {"kind": "categorical", "role": "class", "storage": "Int64"}
            | {"categories": ("1", "2"), "bins": (1.0,), "ordered": False, "hierarchy": ""},
        ),
        (
            Attribute("a", "categorical", storage="String"),
            {
                "kind": "categorical",
                "role": "ordinary",
                "storage": "String",
                "ordered": False,
                "hierarchy": "",
            },
        ),
        (
            Attribute("a", "numeric", "identifier", "Int64", low=1.0, high=2.0, precision=0),
            {"kind": "numeric", "role": "identifier", "storage": "Int64"},
        ),
    ],
)
def test_what_a_schema_declares(attribute: Attribute, fields: dict[str, Any]) -> None:
    assert declared_by_schema(Schema((attribute,))) == {"a": fields}


def test_roles_and_the_class_win_and_the_declarations_are_not_changed() -> None:
    given: dict[str, dict[str, Any]] = {
        "a": {"role": "ordinary", "low": 0},
        "b": {"role": "class", "kind": "categorical"},
    }
    found = with_roles(given, roles={"a": "confidential"}, targets=("c",), columns=["a", "b", "c", "d"])
    assert found == {
        "a": {"role": "confidential", "low": 0},
        "b": {"kind": "categorical"},
        "c": {"role": "class"},
    }
    assert given == {"a": {"role": "ordinary", "low": 0}, "b": {"role": "class", "kind": "categorical"}}


def test_without_a_target_the_declared_class_stays() -> None:
    assert with_roles({"b": {"role": "class"}}, roles={}, targets=(), columns=["b"]) == {
        "b": {"role": "class"}
    }
    assert with_roles({}, roles={"b": "class"}, targets=("b",), columns=["b"]) == {"b": {"role": "class"}}


def test_identifiers_may_be_gone_already() -> None:
    assert with_roles({"id": {"role": "identifier"}}, roles={}, targets=(), columns=["a"]) == {}
    with pytest.raises(InputError, match=r"no column 'ag'\. Did you mean 'age'"):
        with_roles({"ag": {"low": 0}}, roles={}, targets=(), columns=["age"])


@pytest.mark.parametrize(
    ("roles", "target", "words"),
    [
        ({"b": "ignored"}, None, "no column 'b'"),
        ({"a": "boss"}, None, "no role 'boss'"),
        ({}, "b", "no class column 'b'"),
        ({"a": "identifier"}, "a", "both the class and identifier"),
    ],
)
def test_wrong_roles_are_refused(roles: Any, target: str | None, words: str) -> None:
    with pytest.raises(InputError, match=words):
        with_roles({}, roles=roles, targets=(target,) if target else (), columns=["a"])
