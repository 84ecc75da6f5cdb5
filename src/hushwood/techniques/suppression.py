"""SUPPRESS: declared cells, or whole records, become missing.

A rule is a condition on one column, then the columns to blank: "age >= 90", "city = Mel : income, age", "income > 100 :
*". Its own column if none is named, the whole record for a star. Names and values that contain a rule's own characters
stand in double quotes. Nothing is drawn, so those who know a rule know what its blanks mean. `suppressed` blanks cells
of columns that another technique has perturbed.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any, ClassVar

import numpy as np

from hushwood.arrays import Array, Flags, Floats
from hushwood.errors import InputError, unknown_name
from hushwood.random_streams import Rows, Streams
from hushwood.segments.segments import Segments
from hushwood.tables.recoding.meaning import number_of
from hushwood.tables.schema import Schema
from hushwood.tables.table import Table, missing_values
from hushwood.techniques.laws.joint import JointLaw, LawPerturber
from hushwood.techniques.laws.promises import Promise
from hushwood.techniques.laws.redraw import certain_log_prob
from hushwood.techniques.protocol import Columns, Law, LearntOn, Target, Technique

OPERATORS: Mapping[str, Callable[[Any, Any], Any]] = {
    "<=": operator.le,
    ">=": operator.ge,
    "!=": operator.ne,
    "==": operator.eq,
    "=": operator.eq,
    "<": operator.lt,
    ">": operator.gt,
}
ALL = "*"
_SHOWN = 20  # values that an error lists at most
_FORM = re.compile(
    r"""\s*(?P<column>"[^"]+"|[^"<>=!]+?)\s*
        (?P<sign><=|>=|!=|==|=|<|>)(?!=)\s*
        (?P<value>"[^"]*"|[^"]+?)\s*
        (?::(?=[\s*])(?P<blanked>.*))?""",
    re.VERBOSE | re.DOTALL,
)
_NAME = re.compile(r"""\s*("[^"]+"|[^",\s][^",]*?)\s*(?:,|$)""")


@dataclass(frozen=True, slots=True)
class Suppression(Technique):
    """Blank what the rules name; a record with a missing value may take another path through a tree."""

    rules: tuple[str, ...] = ()
    acronym: ClassVar[str] = "SUPPRESS"
    perturbs: ClassVar[Target] = "any"
    learnt_on: ClassVar[LearntOn] = "sample"
    trust: ClassVar[str] = "Exactly as in the original wherever it is not blank."
    options: ClassVar[Mapping[str, str]] = {"rules": "suppress"}
    promise: ClassVar[Promise] = Promise("added")

    def __post_init__(self) -> None:
        parsed_rules(self.rules)

    def says(self) -> str:
        return "Blank where a declared condition on the record holds, and otherwise unchanged."

    def prepare(self, original: Table, attributes: Sequence[str], segments: Segments) -> LawPerturber:
        """Look up columns and values; a column that no rule blanks is not covered."""
        rules = parsed_rules(self.rules)
        check_names(rules, original.schema)
        laws = {name: SuppressionLaw(name, conditions(rules, original.schema, name)) for name in attributes}
        names = tuple(name for name, law in laws.items() if law.conditions)
        covered = {name: np.full(segments.count, name in names) for name in attributes}
        return LawPerturber(names, JointLaw(tuple(laws[name] for name in names)), covered)


@dataclass(frozen=True, slots=True)
class SuppressionLaw(Law):
    """A value becomes missing if any of the conditions holds, and stays otherwise; both are certain."""

    attribute: str
    conditions: tuple[CellCondition, ...]

    def log_prob(self, original: Columns, released: Columns, segment_ids: Array) -> Floats:
        """0 for the only value that can be released, -inf for all others."""
        return certain_log_prob(self._blanked(original), released[self.attribute])

    def sample(self, original: Columns, segment_ids: Array, row_ids: Rows, streams: Streams) -> Columns:
        """The column with its blanks; the streams are not read."""
        return {self.attribute: self._blanked(original)}

    def _blanked(self, original: Columns) -> Array:
        return _blanked(np.asarray(original[self.attribute]), original, self.conditions)

    def described(self) -> dict[str, Any]:
        """The conditions in the coding of the table."""
        said = [f"{c.column} {c.sign} {c.value:g}" for c in self.conditions]
        return {"form": "missing where a condition holds", "attribute": self.attribute, "conditions": said}


def suppressed(
    original: Columns, released: Columns, schema: Schema, rules: Sequence[str]
) -> dict[str, Array]:
    """The released columns, blanked where the rules hold for the original values of their record."""
    parsed = parsed_rules(rules)
    check_names(parsed, schema)
    return {
        name: _blanked(np.asarray(values), original, conditions(parsed, schema, name))
        for name, values in released.items()
    }


def _blanked(values: Array, original: Columns, where: Sequence[CellCondition]) -> Array:
    """A copy with a gap in every record for which any condition holds."""
    out = values.copy()
    for condition in where:
        out[condition.holds(original)] = np.nan if values.dtype.kind == "f" else -1
    return out


@dataclass(frozen=True, slots=True)
class SuppressionRule:
    """Where a column's value meets a condition, the `blanked` columns become missing; none named means all."""

    column: str
    sign: str
    value: str
    blanked: tuple[str, ...]

    def blanks(self, attribute: str) -> bool:
        """Whether the rule blanks this column."""
        return not self.blanked or attribute in self.blanked


@dataclass(frozen=True, slots=True)
class CellCondition:
    """A rule's condition in the coding of a table: a number, or a category's code."""

    column: str
    sign: str
    value: float

    def holds(self, columns: Columns) -> Flags:
        """For which records it is true; a missing value meets no condition."""
        values = np.asarray(columns[self.column])
        return np.asarray(~missing_values(values) & OPERATORS[self.sign](values, self.value))


def parsed_rules(texts: Iterable[str]) -> tuple[SuppressionRule, ...]:
    """The rules that texts describe.

    >>> parsed_rules(['age >= 90', '"home town" = Mel : age, income'])[1].blanked
    ('age', 'income')
    """
    return tuple(_parsed(text) for text in texts)


def _parsed(text: str) -> SuppressionRule:
    found = _FORM.fullmatch(text)
    if found is None:
        raise InputError(
            f"The suppression rule {text!r} cannot be read; write a column, one of {', '.join(OPERATORS)} and a value, "
            "then perhaps ': ' and the columns to blank, as in 'income > 100 : income, age', or ': *' for all."
        )
    column, value, named = _bare(found["column"]), _bare(found["value"]), found["blanked"]
    if named is None:
        return SuppressionRule(column, found["sign"], value, (column,))
    if named.strip() == ALL:
        return SuppressionRule(column, found["sign"], value, ())
    blanked = tuple(_bare(name) for name in _NAME.findall(named))
    if not blanked or _NAME.sub("", named).strip():
        raise InputError(
            f"The suppression rule {text!r} has no readable columns after the colon; write names with commas "
            "between them, or * for all."
        )
    return SuppressionRule(column, found["sign"], value, blanked)


def _bare(text: str) -> str:
    text = text.strip()
    return text[1:-1] if len(text) > 1 and text[0] == text[-1] == '"' else text


def conditions(rules: Sequence[SuppressionRule], schema: Schema, attribute: str) -> tuple[CellCondition, ...]:
    """The conditions under which a column is blanked."""
    return tuple(_condition(rule, schema) for rule in rules if rule.blanks(attribute))


def check_names(rules: Sequence[SuppressionRule], schema: Schema) -> None:
    """Refuse rules that name columns, or values, which the table does not have."""
    known = [a.name for a in schema.kept]
    for rule in rules:
        for name in (rule.column, *rule.blanked):
            if name not in known:
                raise unknown_name("column for a suppression rule", name, known)
        _condition(rule, schema)


def _condition(rule: SuppressionRule, schema: Schema) -> CellCondition:
    attribute = schema[rule.column]
    if attribute.kind == "numeric":
        return CellCondition(rule.column, rule.sign, number_of(rule.value, attribute))
    if OPERATORS[rule.sign] not in (operator.eq, operator.ne):
        raise InputError(
            f"Column {rule.column!r} holds categories, which have no order; use = or != instead of {rule.sign}."
        )
    if rule.value not in attribute.categories:
        near = get_close_matches(rule.value, attribute.categories, n=_SHOWN, cutoff=0.0)
        raise unknown_name(f"value of {rule.column!r}", rule.value, near)
    return CellCondition(rule.column, rule.sign, attribute.categories.index(rule.value))
