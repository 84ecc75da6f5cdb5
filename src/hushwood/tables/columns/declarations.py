"""What the user declared about columns: in a schema, a schema file, or as roles on the command line.

`inference` guesses the rest and refuses what contradicts the data.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from hushwood.errors import InputError, unknown_name
from hushwood.tables.schema import ROLES, Attribute, Role, Schema

# Column name -> its declared fields, by their names in `Attribute`.
Declarations = Mapping[str, Mapping[str, Any]]


def declared_by_schema(schema: Schema) -> dict[str, dict[str, Any]]:
    """Everything that a schema says about its columns."""
    return {attribute.name: _fields_of(attribute) for attribute in schema.attributes}


def with_roles(
    declared: Declarations,
    *,
    roles: Mapping[str, Role],
    targets: Sequence[str],
    columns: Iterable[str],
    weight: str | None = None,
) -> dict[str, dict[str, Any]]:
    """Declarations overridden by the given roles, classes and weight; every name must be a column."""
    result = {name: dict(fields) for name, fields in declared.items()}
    known = dict.fromkeys(columns)
    for name, role in roles.items():
        if role not in ROLES:
            raise unknown_name("role", role, ROLES)
        result.setdefault(name, {})["role"] = role
    if targets:
        _set_targets(result, roles, targets, known)
    _set_weight(result, weight, known)
    for name, fields in result.items():
        if name not in known and fields.get("role") != "identifier":
            raise unknown_name("column", name, known)
    return {name: fields for name, fields in result.items() if name in known}


def _set_targets(
    result: dict[str, dict[str, Any]],
    roles: Mapping[str, Role],
    targets: Sequence[str],
    known: Collection[str],
) -> None:
    for target in targets:
        if target not in known:
            raise unknown_name("class column", target, known)
        if roles.get(target, "class") != "class":
            raise InputError(
                f"Column {target!r} cannot be both the class and {roles[target]}. Choose another class or role."
            )
    for name, fields in result.items():
        if fields.get("role") == "class" and name not in targets:
            del fields["role"]
            fields.pop("bins", None)
            fields.pop("response", None)
    for target in targets:
        result.setdefault(target, {})["role"] = "class"


def _set_weight(result: dict[str, dict[str, Any]], weight: str | None, known: Collection[str]) -> None:
    """Mark the weight; one that is declared must not be a class, and there is only one."""
    if weight is not None:
        if weight not in known:
            raise unknown_name("weight column", weight, known)
        for fields in result.values():
            fields.pop("weight", None)
        result.setdefault(weight, {})["weight"] = True
    marked = [name for name, fields in result.items() if fields.get("weight")]
    if len(marked) > 1:
        raise InputError(
            f"Columns {marked[0]!r} and {marked[1]!r} are both declared as the weight. Keep one."
        )
    if marked and result[marked[0]].get("role") == "class":
        raise InputError(
            f"Column {marked[0]!r} cannot be both the class and the weight. Choose another class or weight."
        )


def _fields_of(attribute: Attribute) -> dict[str, Any]:
    fields: dict[str, Any] = {"kind": attribute.kind, "role": attribute.role, "storage": attribute.storage}
    fields |= {"weight": True} if attribute.weight else {}
    if attribute.carried:
        return fields
    if attribute.kind == "numeric":
        limits = {"low": attribute.low, "high": attribute.high}
        fields |= {key: limit for key, limit in limits.items() if limit is not None}
        fields["precision"] = attribute.precision
        fields |= {} if attribute.noise is None else {"noise": attribute.noise}
    else:
        fields |= {"ordered": attribute.ordered, "hierarchy": attribute.hierarchy}
    sets = {"categories": attribute.categories, "bins": attribute.bins}
    fields |= {key: values for key, values in sets.items() if values}
    return fields | ({"response": "number"} if attribute.response else {})
