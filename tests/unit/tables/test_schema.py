"""Schemas as data."""

from __future__ import annotations

import pickle
from dataclasses import replace

import numpy as np
import pytest

from hushwood.errors import InputError
from hushwood.tables.schema import LARGEST_NUMBER, Attribute, Role, Schema

AGE = Attribute("age", "numeric", low=17, high=90, precision=0)
SEX = Attribute("sex", "categorical", categories=("f", "m"))
ILL = Attribute("ill", "categorical", "class", categories=("no", "yes"))
KEY = Attribute("key", "categorical", "identifier")


def test_parts_of_a_schema() -> None:
    schema = Schema((KEY, AGE, SEX, ILL))
    assert schema.names == ("key", "age", "sex", "ill")
    assert schema.class_attribute == ILL
    assert schema.inputs == (AGE, SEX)
    assert schema.kept == (AGE, SEX, ILL)
    assert schema.in_role("ordinary") == ("age", "sex")
    assert schema.in_role("confidential") == ()
    assert schema["age"].integer
    assert not schema["sex"].integer
    assert schema["key"].carried


def test_roles_can_be_changed() -> None:
    schema = Schema((AGE, SEX)).with_role(["sex"], "ignored")
    assert schema["sex"].role == "ignored"
    assert schema["age"] == AGE
    assert Schema((AGE,)).class_attribute is None


@pytest.mark.parametrize(
    ("roles", "expected"),
    [
        ({}, ("age", "sex")),
        ({"sex": "confidential"}, ("age",)),
        ({"sex": "quasi-identifier"}, ("sex",)),
        ({"sex": "quasi-identifier", "age": "confidential"}, ("sex",)),
        ({"sex": "identifier"}, ("age",)),
        ({"sex": "ignored"}, ("age",)),
    ],
)
def test_groups_are_formed_on_what_is_declared_or_on_all_but_class_and_secrets(
    roles: dict[str, Role], expected: tuple[str, ...]
) -> None:
    schema = Schema((KEY, AGE, SEX, ILL))
    for name, role in roles.items():
        schema = schema.with_role([name], role)
    assert schema.quasi_identifiers == expected


def test_several_classes_of_which_one_is_looked_at() -> None:
    well = Attribute("well", "numeric", "class", low=0.0, high=9.0, bins=(3.0,))
    schema = Schema((AGE, ILL, SEX, well))
    assert [a.name for a in schema.classes] == ["ill", "well"]
    assert [a.name for a in schema.inputs] == ["age", "sex"]
    assert schema.class_attribute == ILL
    assert replace(schema, main="well").class_attribute == well
    assert replace(schema, main="well").with_role(["age"], "confidential").class_attribute == well
    assert [a.response for a in schema.attributes] == [False, False, False, True]


def test_wrong_schemas_are_refused() -> None:
    with pytest.raises(InputError, match="more than once: age"):
        Schema((AGE, AGE))
    with pytest.raises(InputError, match="Did you mean 'age'"):
        Schema((AGE, SEX))["agee"]


@pytest.mark.parametrize("limits", [(0.0, 1e71), (-1e71, None), (1e308, 1.7e308), (float("nan"), 1.0)])
def test_numbers_that_computing_overflows_with_are_refused(limits: tuple[float, float | None]) -> None:
    with pytest.raises(
        InputError, match=r"Column 'x' has numbers as large as .* Rescale the column, or set it aside"
    ):
        Attribute("x", "numeric", low=limits[0], high=limits[1])
    assert Attribute("x", "numeric", "ignored", low=limits[0], high=limits[1]).carried


def test_the_largest_numbers_can_be_computed_with() -> None:
    """What a correlation of a million records does with a column whose ends they are."""
    column = np.full(1_000_000, LARGEST_NUMBER)
    column[::2] = -LARGEST_NUMBER
    variance = ((column - column.mean()) ** 2).sum()
    assert np.isfinite(variance * variance)


def test_wide_schemas_are_not_searched_through() -> None:
    """A search for every column would take minutes here."""
    attributes = tuple(Attribute(f"c{i}", "numeric") for i in range(30_000))
    schema = Schema(attributes).with_role([a.name for a in attributes], "quasi-identifier")
    assert all(schema[a.name].role == "quasi-identifier" for a in attributes)
    with pytest.raises(InputError, match="these occur more than once: c7"):
        Schema((*attributes, attributes[7]))
    with pytest.raises(InputError, match="no column 'd1'"):
        schema["d1"]


def test_a_schema_can_be_copied_and_sent() -> None:
    schema = Schema((Attribute("a", "numeric"), Attribute("b", "categorical")))
    assert pickle.loads(pickle.dumps(schema)) == schema  # noqa: S301 - our own bytes
    assert repr(schema).count("Attribute(") == 2
