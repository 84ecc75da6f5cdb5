"""What a column was taken for, in a word; why; and which line of a schema file would change that."""

from __future__ import annotations

from dataclasses import dataclass

from hushwood.tables.columns.code_levels import CODE_NAMES
from hushwood.tables.columns.quantities import are_years
from hushwood.tables.columns.value_texts import is_temporal
from hushwood.tables.schema import Attribute

_DROP = 'role = "identifier"'


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a column is what it is, and the line of a schema file that changes it; "" if no line does."""

    why: str
    line: str


def sort_of(attribute: Attribute) -> str:
    """What sort of numbers or categories a column holds, if that is known: flag, codes, ordered, years, dates.

    >>> sort_of(Attribute("built", "numeric", low=1900, high=2020, precision=0))
    'years'
    >>> sort_of(Attribute("ill", "categorical", storage="Int64", categories=("0", "1")))
    'flag'
    """
    if attribute.carried or attribute.role == "class":
        return ""
    if attribute.kind == "numeric":
        if is_temporal(attribute.storage):
            return "dates" if attribute.storage.startswith("Date") else "times"
        whole_years = attribute.integer and are_years(attribute.name, attribute.low, attribute.high)
        return "years" if whole_years else ""
    if attribute.hierarchy:
        return CODE_NAMES[attribute.hierarchy]
    if attribute.ordered:
        return "ordered"
    return "flag" if attribute.flag else ""


def reason_of(attribute: Attribute, suspected: str = "") -> Reason:
    """The reason, and the line that changes it; `suspected` is what a column seems to hold that identifies people.

    >>> reason_of(Attribute("ill", "categorical", storage="Int64", categories=("0", "1"), why="two numbers"))
    Reason(why='flag: two numbers', line='kind = "numeric"')
    """
    sort = sort_of(attribute)
    why = f"{sort}: {attribute.why}" if sort and sort != attribute.why else attribute.why
    if suspected:
        return Reason(f"{why}; looks like {suspected}" if not sort else f"looks like {suspected}", _DROP)
    return Reason(why, _line(attribute))


def _line(attribute: Attribute) -> str:
    if attribute.carried or attribute.role == "class":
        return 'role = "ordinary"'
    if attribute.kind == "numeric":
        return 'kind = "categorical"'
    stored_as_number = attribute.storage.startswith(("Int", "UInt", "Float"))
    if stored_as_number or is_temporal(attribute.storage):
        return 'kind = "numeric"'
    if attribute.hierarchy:
        return 'hierarchy = "none"'
    if attribute.ordered:
        return "ordered = false"
    return "ordered = true" if len(attribute.categories) > 2 else ""
