"""Schemas as TOML files that people read and edit: one [[attribute]] per column; missing keys are guessed."""

from __future__ import annotations

import sys
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

from hushwood.errors import InputError, unknown_name
from hushwood.tables.columns.codes import HIERARCHIES, codes_of_texts
from hushwood.tables.columns.meanings import in_scale_order
from hushwood.tables.columns.precision import MOST_DECIMALS
from hushwood.tables.formats.input_files import read_text
from hushwood.tables.formats.toml_text import list_text, quoted
from hushwood.tables.links.declared import DeclaredLinks, check_links, links_in, links_to_toml
from hushwood.tables.schema import KINDS, LARGEST_NOISE, ROLES, Attribute, Schema

_HEADER = """\
# What each column is. Kinds: numeric, categorical. Roles: class, ordinary, confidential, quasi-identifier,
# identifier (dropped from the release), ignored (copied as it is). Precision: decimals, or "continuous".
# Noise: the share of noise that a numeric column is to get, if not the same as the others.
# Ordered: true if the categories are listed in ascending order.
# Hierarchy: how codes are grouped: prefix, icd-10, uk-postcode or none.
# A class of numbers with response = "number" is predicted as a number; its bins are used where classes are counted.
# weight = true: the survey weight, which says how many people a record stands for.
# Every key but the name may be left out; it is then guessed from the data.
# A link is what must hold between columns; keep = false turns one off that would be found in the data.
"""
_CONTINUOUS = "continuous"
_NONE = "none"
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_KEYS = (
    "name",
    "kind",
    "role",
    "storage",
    "low",
    "high",
    "precision",
    "categories",
    "bins",
    "noise",
    "response",
    "ordered",
    "hierarchy",
    "weight",
)


def schema_to_toml(schema: Schema, comments: Mapping[str, Sequence[str]] | None = None) -> str:
    """The schema as TOML text; the comments on a column, in printable lines, are above it.

    >>> age = Attribute("age", "numeric", low=17.0, high=90.0, precision=0)
    >>> print(schema_to_toml(Schema((age,))).split("[[")[1])
    attribute]]
    name = "age"
    kind = "numeric"
    role = "ordinary"
    storage = "Float64"
    low = 17
    high = 90
    precision = 0
    <BLANKLINE>
    """
    said = comments or {}
    columns = (_attribute_text(a, said.get(a.name, ())) for a in schema.attributes)
    return "\n".join([_HEADER, *columns, *links_to_toml(schema)])


def write_schema_file(schema: Schema, path: Path) -> None:
    """Write the schema to a new or existing file."""
    try:
        path.write_text(schema_to_toml(schema), encoding="utf-8")
    except OSError as fault:
        raise InputError(f"{path} could not be written: {fault.strerror}.") from None


def read_schema_file(path: Path) -> dict[str, dict[str, Any]]:
    """What a schema file declares: for every column the keys that are present."""
    return declarations(read_text(path, "schema file"), str(path))


def schema_from_toml(text: str, where: str = "schema") -> Schema:
    """A whole schema from TOML text in which every column has its kind."""
    attributes, content = [], parsed(text, where)
    for name, fields in _declarations(content, where).items():
        if "kind" not in fields:
            raise InputError(f"{where}: column {name!r} has no kind. Declare it numeric or categorical.")
        # A class that is numeric is a response; in a file the key says so, because most classes of numbers are not.
        attributes.append(Attribute(name=name, **{k: v for k, v in fields.items() if k != "response"}))
    schema, links = Schema(tuple(attributes)), links_in(content, where)
    check_links(links, schema, where)
    return replace(schema, links=links.kept, unlinked=links.loose)


def with_declared_links(schema: Schema, given: Schema | Path | str | None) -> Schema:
    """The schema of a table with the links that a schema, or a schema file, declares; they must fit its columns."""
    if given is None:
        return schema
    if isinstance(given, Schema):
        declared, where = DeclaredLinks(given.links, given.unlinked), "The schema"
    else:
        where = str(given)
        declared = links_in(parsed(read_text(Path(given), "schema file"), where), where)
    check_links(declared, schema, where)
    return replace(schema, links=declared.kept, unlinked=declared.loose)


def parsed(text: str, where: str) -> dict[str, Any]:
    """The content of a schema file."""
    try:
        content = tomllib.loads(text)
    # Not only TOMLDecodeError: also numbers of 5,000 digits and lists nested without end.
    except (ValueError, RecursionError) as fault:
        raise InputError(f"{where} is not a TOML file: {str(fault).rstrip('.')}.") from None
    unknown = sorted(set(content) - {"attribute", "link"})
    if unknown or not isinstance(content.get("attribute", []), list):
        raise InputError(
            f"{where}: only [[attribute]] and [[link]] tables are allowed, not {(unknown or ['attribute'])[0]!r}."
        )
    return content


def declarations(text: str, where: str) -> dict[str, dict[str, Any]]:
    """The checked keys of every column in the TOML text; a mistake is reported with its file and key."""
    return _declarations(parsed(text, where), where)


def _declarations(content: Mapping[str, Any], where: str) -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = {}
    for entry in content.get("attribute", []):
        name, fields = _fields(entry, where)
        if name in found:
            raise InputError(f"{where}: column {name!r} is described twice. Keep one description.")
        found[name] = fields
    return found


def _fields(entry: Any, where: str) -> tuple[str, dict[str, Any]]:
    if not isinstance(entry, dict) or not isinstance(entry.get("name"), str):
        raise InputError(f"{where}: every [[attribute]] needs a name, in quotes.")
    name = entry["name"]
    fields: dict[str, Any] = {}
    for key, value in entry.items():
        if key not in _KEYS:
            raise InputError(f"{where}, column {name!r}: {unknown_name('key', key, _KEYS)}")
        if key != "name":
            fields[key] = _checked(key, value, f"{where}, column {name!r}, {key}")
    low, high = fields.get("low"), fields.get("high")
    if low is not None and high is not None and low > high:
        raise InputError(f"{where}, column {name!r}: low is above high. Swap them.")
    return name, fields


def _checked(key: str, value: Any, where: str) -> Any:
    rules: Mapping[str, tuple[str, Callable[[Any], bool]]] = {
        "kind": (f"one of {', '.join(KINDS)}", lambda v: v in KINDS),
        "role": (f"one of {', '.join(ROLES)}", lambda v: v in ROLES),
        "storage": ("a text", lambda v: isinstance(v, str)),
        "low": ("a number or a date", _is_limit),
        "high": ("a number or a date", _is_limit),
        "precision": (
            f'0 to {MOST_DECIMALS}, or "{_CONTINUOUS}"',
            lambda v: v == _CONTINUOUS or (type(v) is int and 0 <= v <= MOST_DECIMALS),
        ),
        "categories": (
            "a list of different texts",
            lambda v: isinstance(v, list) and all(isinstance(x, str) for x in v) and len(set(v)) == len(v),
        ),
        "bins": (
            "a list of increasing numbers",
            lambda v: isinstance(v, list) and all(map(_is_number, v)) and sorted(set(v)) == v,
        ),
        "noise": (
            f"a share from 0 to {LARGEST_NOISE:g}",
            lambda v: _is_number(v) and 0 <= v <= LARGEST_NOISE,
        ),
        "response": ("number", lambda v: v == "number"),
        "ordered": ("true or false", lambda v: isinstance(v, bool)),
        "hierarchy": (f"one of {', '.join((*HIERARCHIES, _NONE))}", lambda v: v in (*HIERARCHIES, _NONE)),
        "weight": ("true or false", lambda v: isinstance(v, bool)),
    }
    allowed, good = rules[key]
    if not good(value):
        raise InputError(f"{where}: {value!r} is not allowed. Use {allowed}.")
    if key in {"low", "high"}:
        return limit_number(value)
    if key == "noise":
        return float(value)
    if key == "precision":
        return None if value == _CONTINUOUS else value
    if key == "hierarchy":
        return "" if value == _NONE else value
    if key == "bins":
        return tuple(float(limit) for limit in value)
    return tuple(value) if key == "categories" else value


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) <= sys.float_info.max


def _is_limit(value: Any) -> bool:
    return _is_number(value) or isinstance(value, date)


def limit_number(value: float | date) -> float:
    """Days of a date, seconds of a datetime, since 1970; without a time zone, UTC is assumed."""
    if isinstance(value, datetime):
        moment = value if value.tzinfo else value.replace(tzinfo=UTC)
        return ((moment - _EPOCH) // timedelta(microseconds=1)) / 10**6
    return float((value - _EPOCH.date()).days) if isinstance(value, date) else float(value)


def _attribute_text(attribute: Attribute, comments: Sequence[str]) -> str:
    lines = [
        *(f"# {line}" for line in comments),
        "[[attribute]]",
        f"name = {quoted(attribute.name)}",
        f"kind = {quoted(attribute.kind)}",
    ]
    lines += [f"role = {quoted(attribute.role)}", f"storage = {quoted(attribute.storage)}"]
    for key, limit in (("low", attribute.low), ("high", attribute.high)):
        if limit is not None:
            lines.append(f"{key} = {limit_text(limit, attribute.storage)}")
    if attribute.kind == "numeric" and not attribute.carried:
        lines.append(
            f"precision = {quoted(_CONTINUOUS) if attribute.precision is None else attribute.precision}"
        )
    if attribute.categories:
        lines.append(f"categories = {list_text([quoted(text) for text in attribute.categories])}")
    lines += _meaning_lines(attribute)
    if attribute.bins:
        lines.append(f"bins = {list_text([_number(limit) for limit in attribute.bins])}")
    if attribute.noise is not None:
        lines.append(f"noise = {_number(attribute.noise)}")
    if attribute.response:
        lines.append('response = "number"')
    if attribute.weight:
        lines.append("weight = true")
    return "\n".join(lines) + "\n"


def _meaning_lines(attribute: Attribute) -> list[str]:
    """The order and the hierarchy of categories; said even where there is none, if the data would be taken for some."""
    if attribute.kind == "numeric" or attribute.carried:
        return []
    lines = ["ordered = true"] if attribute.ordered else []
    if not attribute.ordered and (attribute.storage == "Enum" or in_scale_order(attribute.categories)):
        lines.append("ordered = false")
    if attribute.hierarchy:
        lines.append(f"hierarchy = {quoted(attribute.hierarchy)}")
    elif attribute.role != "class" and codes_of_texts(attribute.name, attribute.categories) is not None:
        lines.append(f"hierarchy = {quoted(_NONE)}")
    return lines


def limit_text(limit: float, storage: str) -> str:
    """A limit in TOML: a date or datetime if the column holds such and the text means the same, else the number."""
    try:
        if storage == "Date" and limit.is_integer():
            return (_EPOCH.date() + timedelta(days=int(limit))).isoformat()
        if storage.startswith("Datetime"):
            moment = _EPOCH + timedelta(microseconds=round(limit * 10**6))
            if limit_number(moment) == limit:
                return moment.isoformat().replace("+00:00", "Z" if "," in storage else "")
    except OverflowError:
        pass
    return _number(limit)


def _number(value: float) -> str:
    return str(int(value)) if float(value).is_integer() and abs(value) < 2**53 else repr(value)
