"""Rules of suppression as data: "age >= 90", "city = Mel : income, age", "income > 100 : *".

A condition on one column, then the columns to blank: its own if none is named, the whole record for a star. Names and
values that contain a rule's own signs stand in double quotes. `suppression` applies the rules.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

import numpy as np

from hushwood.arrays import Flags
from hushwood.errors import InputError, unknown_name
from hushwood.tables.recoding.meaning import number_of
from hushwood.tables.schema import Schema
from hushwood.tables.table import missing_values
from hushwood.techniques.protocol import Columns

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
class Rule:
    """Where a column's value meets a condition, the `blanked` columns become missing; none named means all."""

    column: str
    sign: str
    value: str
    blanked: tuple[str, ...]

    def blanks(self, attribute: str) -> bool:
        """Whether the rule blanks this column."""
        return not self.blanked or attribute in self.blanked


@dataclass(frozen=True, slots=True)
class Condition:
    """A rule's condition in the coding of a table: a number, or a category's code."""

    column: str
    sign: str
    value: float

    def holds(self, columns: Columns) -> Flags:
        """For which records it is true; a missing value meets no condition."""
        values = np.asarray(columns[self.column])
        return np.asarray(~missing_values(values) & OPERATORS[self.sign](values, self.value))


def parsed_rules(texts: Iterable[str]) -> tuple[Rule, ...]:
    """The rules that texts describe.

    >>> parsed_rules(['age >= 90', '"home town" = Mel : age, income'])[1].blanked
    ('age', 'income')
    """
    return tuple(_parsed(text) for text in texts)


def _parsed(text: str) -> Rule:
    found = _FORM.fullmatch(text)
    if found is None:
        raise InputError(
            f"The suppression rule {text!r} cannot be read; write a column, one of {', '.join(OPERATORS)} and a value, "
            "then perhaps ': ' and the columns to blank, as in 'income > 100 : income, age', or ': *' for all."
        )
    column, value, named = _bare(found["column"]), _bare(found["value"]), found["blanked"]
    if named is None:
        return Rule(column, found["sign"], value, (column,))
    if named.strip() == ALL:
        return Rule(column, found["sign"], value, ())
    blanked = tuple(_bare(name) for name in _NAME.findall(named))
    if not blanked or _NAME.sub("", named).strip():
        raise InputError(
            f"The suppression rule {text!r} has no readable columns after the colon; write names with commas "
            "between them, or * for all."
        )
    return Rule(column, found["sign"], value, blanked)


def _bare(text: str) -> str:
    text = text.strip()
    return text[1:-1] if len(text) > 1 and text[0] == text[-1] == '"' else text


def conditions(rules: Sequence[Rule], schema: Schema, attribute: str) -> tuple[Condition, ...]:
    """The conditions under which a column is blanked."""
    return tuple(_condition(rule, schema) for rule in rules if rule.blanks(attribute))


def check_names(rules: Sequence[Rule], schema: Schema) -> None:
    """Refuse rules that name columns, or values, which the table does not have."""
    known = [a.name for a in schema.kept]
    for rule in rules:
        for name in (rule.column, *rule.blanked):
            if name not in known:
                raise unknown_name("column for a suppression rule", name, known)
        _condition(rule, schema)


def _condition(rule: Rule, schema: Schema) -> Condition:
    attribute = schema[rule.column]
    if attribute.kind == "numeric":
        return Condition(rule.column, rule.sign, number_of(rule.value, attribute))
    if OPERATORS[rule.sign] not in (operator.eq, operator.ne):
        raise InputError(
            f"Column {rule.column!r} holds categories, which have no order; use = or != instead of {rule.sign}."
        )
    if rule.value not in attribute.categories:
        near = get_close_matches(rule.value, attribute.categories, n=_SHOWN, cutoff=0.0)
        raise unknown_name(f"value of {rule.column!r}", rule.value, near)
    return Condition(rule.column, rule.sign, attribute.categories.index(rule.value))
