"""What a careful reader would ask about a column before releasing it; warnings never change the schema.

Numbers may not mean what they say: codes for "missing", totals in the last row, slips of the keyboard. Survey weights
may single people out or name their stratum: everyone in a stratum has the same design weight.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

import numpy as np
import polars as pl

from hushwood.arrays import Floats, Integers
from hushwood.tables.columns.codes import codes_in
from hushwood.tables.columns.header_words import TEXT
from hushwood.tables.columns.identifying import Suspicion, suspicion
from hushwood.tables.frames.storage import TEXT_STORAGES, as_numbers
from hushwood.tables.schema import Attribute
from hushwood.tables.table import Table

_FEW_ROWS = 20
_MANY = 100
_MANY_SHARE = 0.3
_ODD_TEXTS = 3
# The codes of doubts that a release does not go past: they are settled by a role or by --keep.
IDENTIFYING = frozenset({"identifier", "free-text"})
MANY_CATEGORIES = "many-categories"
MISSING_CODE, TOTAL, FAR_OUT = "missing-code", "total", "far-out"
_BELOW = (*range(-9, 0), -66, -77, -88, *range(-99, -95), -777, -888, *range(-999, -995), -9999)
_ABOVE = (7, 8, 9, *range(96, 100), *range(996, 1000), 9998, 9999, 99999)
_MOST_CODES = 4
_LONGEST_SCALE = 11  # 0 to 10
_APART = 3.0  # a code above a column that is not a scale is this many times its largest number
_RARE_DIGIT = 0.01  # 9 above a scale is a code from this share of the records on; it might be a count
_FAR = 20.0
NEARLY_UNIQUE = 0.5  # share of the records that have a weight of their own
SEVERAL = 5  # records to a weight on average, before a stratum can be told from chance
MOST_NAMED = 3


@dataclass(frozen=True, slots=True)
class ColumnWarning:
    """One doubt about one column: a code to sort by and a sentence that says what is wrong and what to do.

    `about` is what a column seems to hold that looks as if it identifies people.
    """

    column: str
    code: str
    sentence: str
    about: str = ""


_Warn = Callable[[str, str], ColumnWarning]


def column_warnings(attribute: Attribute, column: pl.Series) -> Iterator[ColumnWarning]:
    """The doubts about one column, the most serious first."""

    def warning(code: str, sentence: str, about: str = "") -> ColumnWarning:
        return ColumnWarning(attribute.name, code, f"Column {attribute.name!r} {sentence}", about)

    if attribute.role == "ignored":
        yield warning(
            "ignored", "is ignored: the release copies it unchanged, with everything it says about people."
        )
    suspected = suspicion(attribute, column)
    if suspected is not None:
        code = "free-text" if suspected.kind == TEXT else "identifier"
        yield warning(code, _says(suspected), suspected.kind)
    if suspected is not None or attribute.carried:
        return
    known = column.drop_nulls()
    if known.is_empty():
        yield warning("all-missing", "is empty; nothing can be learnt from it. Consider dropping it.")
    elif known.len() > 1 and (known == known[0]).all():
        yield warning("constant", "has the same value in every record; nothing can be learnt from it.")
    elif attribute.role != "class" and attribute.kind != "numeric":
        yield from _category_warnings(attribute, len(known), warning)


def suspicions(warnings: Iterable[ColumnWarning]) -> dict[str, str]:
    """What the columns seem to hold that look as if they identify people."""
    return {each.column: each.about for each in warnings if each.code in IDENTIFYING}


def _says(suspected: Suspicion) -> str:
    """What a column seems to hold, and the options that settle the matter."""
    option = shlex.quote(suspected.column)
    return (
        f"looks like {suspected.kind}, judging by {suspected.why}. Drop it from the release with "
        f'--identifier {option}, or say why it must stay with --keep {option}="reason".'
    )


def _category_warnings(attribute: Attribute, known: int, warning: _Warn) -> Iterator[ColumnWarning]:
    """Doubts about texts: too many categories, numbers read as texts."""
    count, share = len(attribute.categories), len(attribute.categories) / known
    if attribute.storage in TEXT_STORAGES:
        odd = _odd_texts(attribute)
        if odd:
            yield warning(
                "almost-numeric",
                f"contains numbers except for {', '.join(map(repr, odd))}, so it is read as categories. "
                f'If that means missing, use --missing "{",".join(odd)}".',
            )
        if _decimal_commas(attribute):
            yield warning(
                "decimal-comma",
                "has decimal commas, but is read as categories. Read it as numbers with --decimal , or a schema.",
            )
    if count > _MANY or (share > _MANY_SHARE and known >= _FEW_ROWS):
        kind = codes_in(attribute)
        # Codes have groups of their own.
        rule = f"{attribute.name}={kind.level_names[len(kind.levels) // 2]}" if kind else ""
        example = f" {shlex.quote(rule)}" if rule else ""
        yield warning(
            MANY_CATEGORIES,
            f"has {count} categories. Group them with --coarsen{example}, or declare it in a schema.",
        )


def _odd_texts(attribute: Attribute) -> list[str]:
    texts = pl.Series(attribute.categories, dtype=pl.String)
    odd = texts.filter(as_numbers(texts).is_null())
    return odd.to_list() if 0 < len(odd) <= _ODD_TEXTS and len(texts) >= 4 * len(odd) + 4 else []


def _decimal_commas(attribute: Attribute) -> bool:
    texts = pl.Series(attribute.categories, dtype=pl.String)
    return bool(texts.str.contains(r"^-?\d+(,\d+)?$").all()) and bool(texts.str.contains(",").any())


def odd_numbers(table: Table) -> Iterator[ColumnWarning]:
    """What to ask about the numbers of a table."""
    known = {a.name: table.columns[a.name] for a in table.schema.attributes if _counts(a)}
    different = {name: np.unique(values[~np.isnan(values)]) for name, values in known.items()}
    codes = {name: missing_codes(values, different[name]) for name, values in known.items()}
    for name, found in codes.items():
        if found:
            yield ColumnWarning(name, MISSING_CODE, _asks_missing(name, codes, different))
        else:
            yield from _far_out(name, different[name], table.rows)
    totals = [name for name, values in known.items() if is_total(values)]
    if totals:
        others = f" and of {len(totals) - 1} more" if len(totals) > 1 else ""
        yield ColumnWarning(
            totals[0],
            TOTAL,
            f"The last row holds the sum of column {totals[0]!r}{others}. A total is not a person: remove that row.",
        )


def _counts(attribute: Attribute) -> bool:
    """Whether the column holds numbers of people, not dates, weights or what is dropped or copied."""
    timed = attribute.storage.startswith(("Date", "Time", "Duration"))
    return attribute.kind == "numeric" and not (attribute.carried or attribute.weight or timed)


def missing_codes(values: Floats, different: Floats) -> tuple[int, ...]:
    """Numbers such as -99 and 9 that stand apart from a column's other numbers, as codes for "missing" do.

    >>> ratings = np.array([1.0, 2, 3, 4, 5, 3, 2, -99, 9])
    >>> missing_codes(ratings, np.unique(ratings))
    (-99, 9)
    """
    low = _run(different, _BELOW)
    negative = int(np.searchsorted(different, 0.0))
    if low != negative or low > _MOST_CODES or low == len(different) or -1.0 in different[1:low]:
        low = 0  # numbers that go below 0 anyway
    highs = range(1, min(_MOST_CODES, _run(different[::-1], _ABOVE)) + 1)
    stand_above = (
        n for n in highs if _stand_above(values, different[low : len(different) - n], different[-n])
    )
    high = next(stand_above, 0)
    return tuple(int(code) for code in (*different[:low], *different[len(different) - high :]))


def _run(from_the_end: Floats, codes: tuple[int, ...]) -> int:
    """How many of the first numbers are codes, without a gap."""
    is_code = np.isin(from_the_end[: _MOST_CODES + 1], codes)
    return len(is_code) if is_code.all() else int(np.argmin(is_code))


def _stand_above(values: Floats, rest: Floats, code: float) -> bool:
    """Whether the lowest of the codes lies apart from the rest: above a scale, or far above other numbers."""
    if len(rest) < 2 or rest[0] < 0:
        return False
    top = float(rest[-1])
    whole = len(rest) <= _LONGEST_SCALE and np.array_equal(rest, np.arange(rest[0], rest[0] + len(rest)))
    if not whole or top >= _LONGEST_SCALE:
        return bool(code >= _APART * max(top, 1.0) and code > _LONGEST_SCALE)
    often = code > _LONGEST_SCALE or float((values >= code).mean()) >= _RARE_DIGIT
    return bool(code >= top + 2 and often)


def is_total(values: Floats) -> bool:
    """Whether the last number is the sum of the others, at least three of which count.

    >>> is_total(np.array([3.0, 4.0, 5.0, 12.0])), is_total(np.array([0.0, 0.0, 7.0, 7.0]))
    (True, False)
    """
    others = values[:-1][~np.isnan(values[:-1])]
    if np.count_nonzero(others) < 3 or np.isnan(values[-1]):
        return False
    total, largest = float(others.sum()), float(np.abs(others).max())
    return bool(abs(total) > largest and abs(values[-1] - total) <= 1e-9 * abs(total))


def _far_out(name: str, different: Floats, records: int) -> Iterator[ColumnWarning]:
    if records < _FEW_ROWS or len(different) < 3:
        return
    for word, first, second, option in (
        ("largest", different[-1], different[-2], "top"),
        ("smallest", different[0], different[1], "bottom"),
    ):
        if second * first > 0 and abs(first) >= _FAR * abs(second):
            yield ColumnWarning(
                name,
                FAR_OUT,
                f"Column {name!r}: the {word} number is {first / second:,.0f} times the next. If it is a slip, correct "
                f"it; if it is true, cut it off with --{option}-code {shlex.quote(name)}="
                f"{'99' if option == 'top' else '1'}%.",
            )


def _asks_missing(name: str, codes: Mapping[str, tuple[int, ...]], different: Mapping[str, Floats]) -> str:
    own = codes[name]
    rest = different[name][~np.isin(different[name], own)]
    listed = ", ".join(map(str, own))
    says = f"Column {name!r} holds {listed} apart from its other numbers, {rest[0]:g} to {rest[-1]:g}. "
    for other, values in different.items():
        ordinary = set(own) & set(values.tolist()) - set(codes[other])
        if ordinary:
            return (
                f"{says}If that means missing, empty those fields before: {min(ordinary)} is an ordinary number of "
                f"column {other!r}."
            )
    return f"{says}If that means missing, use --missing={','.join(map(str, own))}."


def weight_warnings(table: Table) -> tuple[ColumnWarning, ...]:
    """The doubts about the weight of a table, none if it has none."""
    attribute, weights = table.schema.weight, table.weights
    if attribute is None or weights is None:
        return ()
    name = attribute.name
    return tuple(
        ColumnWarning(name, "weight", f"Column {name!r} {sentence}")
        for sentence in _doubts(table, weights, released=attribute.role != "identifier")
    )


def _doubts(table: Table, weights: Floats, *, released: bool) -> Iterator[str]:
    nothing = int((weights == 0).sum())
    if nothing:
        records = "one record that is" if nothing == 1 else f"{nothing:,} records that are"
        yield f"has {records} without a weight or with weight 0: no tree learns from them, and no count includes them."
    if not released:
        yield "is dropped from the release, so every released record counts the same in measures."
        return
    _, codes, counts = np.unique(weights, return_inverse=True, return_counts=True)
    alone = float((counts == 1).sum()) / max(len(weights), 1)
    if alone > NEARLY_UNIQUE and len(weights) >= 2:
        yield (
            f"gives {alone:.0%} of the records a weight that no other record has: who knows a person's weight, or how "
            "it was computed, can find the person by it. Consider --drop-weight, or round the weights first."
        )
    elif len(counts) > 1 and len(weights) >= SEVERAL * len(counts):
        told = list(_told_by(table, codes, len(counts)))
        if told:
            more = f" and {len(told) - MOST_NAMED} more" if len(told) > MOST_NAMED else ""
            yield (
                f"tells the value of {', '.join(map(repr, told[:MOST_NAMED]))}{more}: every weight occurs with one "
                "value only, as design weights do in strata. Released weights change within segments; consider "
                "--drop-weight if strata are small."
            )


def _told_by(table: Table, weight_codes: Integers, different: int) -> Iterator[str]:
    """The categorical columns, or classes, of several values whose value follows from the weight."""
    for attribute in table.schema.kept:
        if attribute.kind != "categorical" or attribute.weight:
            continue
        values = np.asarray(table.columns[attribute.name], np.int64)
        low, high = np.full(different, np.iinfo(np.int64).max), np.full(different, -2, np.int64)
        np.minimum.at(low, weight_codes, values)
        np.maximum.at(high, weight_codes, values)
        if (low == high).all() and len(np.unique(low)) > 1:
            yield attribute.name
