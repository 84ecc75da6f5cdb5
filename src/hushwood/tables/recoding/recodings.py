"""What becomes of the values of a column by a rule of coarsening: numbers, moments, groups of categories.

Numbers are rounded to multiples, top and bottom coded; dates and times go to the start of their day, month, quarter or
year; texts keep their first characters, or become a group of a hierarchy. `meaning` looks up what a rule means.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from hushwood.arrays import Array, Codes, Floats
from hushwood.errors import InputError
from hushwood.tables.columns.codes import codes_in, codes_of_texts, grouped
from hushwood.tables.columns.precision import decimals
from hushwood.tables.frames.storage import TEXT_STORAGES, storable
from hushwood.tables.recoding.cells import coded_labels, codes_among
from hushwood.tables.recoding.taxonomies import Taxonomy, check_complete
from hushwood.tables.schema import Attribute

_ON_GRID = 1e-9
_OTHER = "other"
_MONTHS = {"year": 12, "quarter": 3, "month": 1}


@dataclass(frozen=True, slots=True)
class RoundedNumbers:
    """Rounded to a multiple of `step`, not above `top`, not below `bottom`; each only if it is given."""

    attribute: Attribute
    step: float | None = None
    top: float | None = None
    bottom: float | None = None

    @property
    def coarse(self) -> Attribute:
        """The attribute of the coarser numbers: their domain, and no more decimals than they need."""
        own = self.attribute
        if own.low is None or own.high is None:
            return own
        low, high = self._recoded(np.array([own.low, own.high])).tolist()
        precision = own.precision
        if self.step is not None:
            given = [x for x in (self.step, self.top, self.bottom, low, high) if x is not None]
            found = decimals(np.array(given), single=own.storage == "Float32")
            precision = found if precision is None else min(precision if found is None else found, precision)
        return replace(own, low=low + 0.0, high=high + 0.0, precision=precision)

    def recode(self, values: Floats) -> Floats:
        """The released number of every value."""
        return storable(self._recoded(values), self.coarse) + 0.0

    def _recoded(self, values: Floats) -> Floats:
        out = np.asarray(values, np.float64)
        if self.step is not None:
            out = np.floor(out / self.step + 0.5) * self.step
        if self.top is not None:
            out = np.where(values >= self.top, self.top, np.minimum(out, self.top))
        if self.bottom is not None:
            out = np.where(values <= self.bottom, self.bottom, np.maximum(out, self.bottom))
        return out

    def ends(self, values: Floats) -> tuple[Floats, Floats]:
        """The smallest and the largest number that is released like each value, as far as the domain goes."""
        y = self.recode(values)
        low, high = self._first(y), self._last(y)
        own = self.attribute
        if self.bottom is not None:
            under = self._floor(self.bottom)
            low = np.where(
                y <= self.bottom, np.minimum(own.low or 0.0, y), np.maximum(low, self.bottom + self._own_step)
            )
            high = np.where(y <= self.bottom, np.maximum(self.bottom, self._last(under)), high)
        if self.top is not None:
            over = -self._floor(-self.top)
            high = np.where(
                y >= self.top, np.maximum(own.high or 0.0, y), np.minimum(high, self.top - self._own_step)
            )
            low = np.where(y >= self.top, np.minimum(self.top, self._first(over)), low)
        return low, np.maximum(high, low)

    def _first(self, y: Array | float) -> Floats:
        """The smallest number that is rounded to y."""
        if self.step is None:
            return np.asarray(y, np.float64)
        low, own = np.asarray(y, np.float64) - self.step / 2, self.attribute.precision
        return low if own is None else _up(low, own)

    def _last(self, y: Array | float) -> Floats:
        """The largest number that is rounded to y: on a grid a whole step before the next."""
        if self.step is None:
            return np.asarray(y, np.float64)
        limit, own = np.asarray(y, np.float64) + self.step / 2, self.attribute.precision
        return limit if own is None else _up(limit, own) - 10.0**-own

    def _floor(self, code: float) -> float:
        """The largest multiple that is not above a code."""
        if self.step is None:
            return code
        return float(np.floor(code / self.step + _ON_GRID) * self.step)

    @property
    def _own_step(self) -> float:
        return 0.0 if self.attribute.precision is None else 10.0**-self.attribute.precision


@dataclass(frozen=True, slots=True)
class Moments:
    """Dates and times as the first moment of their year, quarter, month or day, in UTC."""

    attribute: Attribute
    unit: str

    @property
    def coarse(self) -> Attribute:
        """The attribute of the first moments."""
        own = self.attribute
        if own.low is None or own.high is None:
            return own
        low, high = self.recode(np.array([own.low, own.high])).tolist()
        return replace(own, low=low, high=high, precision=0)

    def recode(self, values: Floats) -> Floats:
        """The first moment of every value's unit."""
        return starts(values, self.unit, self.attribute.storage)

    def ends(self, values: Floats) -> tuple[Floats, Floats]:
        """The first and the last moment of the unit."""
        after = starts(values, self.unit, self.attribute.storage, 1)
        return self.recode(values), after - 10.0 ** -(self.attribute.precision or 0)


@dataclass(frozen=True, slots=True)
class CategoryGroups:
    """Texts that become others, several of them the same: first characters, or groups of a hierarchy."""

    code_of: Codes  # the released code of every category, missing last
    categories: tuple[str, ...]
    key: Mapping[str, tuple[str, ...]]
    how: str

    @classmethod
    def of(cls, attribute: Attribute, labels: Sequence[str], how: str) -> CategoryGroups:
        """Of a column whose categories become these labels."""
        sets: dict[str, list[str]] = {}
        for label, text in zip(labels, attribute.categories, strict=True):
            sets.setdefault(label, []).append(text)
        return cls(*coded_labels([*labels, None], sets, attribute), how)

    @classmethod
    def of_starts(cls, attribute: Attribute, kept: int) -> CategoryGroups:
        """Of a column with this many characters kept, and a star for what is gone.

        In a column of codes that are all as long, there is a star for every character. Postcodes that lost their
        leading zeros get them back first.
        """
        kind = codes_in(attribute) or codes_of_texts(attribute.name, attribute.categories)
        width = kind.width if kind is not None and kind.padded else 0
        texts = [
            text.strip().zfill(width) if text.strip().isdigit() else text for text in attribute.categories
        ]
        alike = len({len(text) for text in texts}) == 1
        stars = len(texts[0]) - kept if alike else 1
        labels = [text[:kept] + "*" * stars if len(text) > kept else text for text in texts]
        return cls.of(attribute, labels, f"first {kept} character{'' if kept == 1 else 's'} of every text")

    @classmethod
    def of_codes(cls, attribute: Attribute, level: str) -> CategoryGroups:
        """Of a column of codes by a level of their own, such as chapters of ICD-10; what is not a code is "other"."""
        texts = attribute.categories
        kind = codes_in(attribute) or codes_of_texts(attribute.name, texts)
        if kind is None:
            raise InputError(
                f"Column {attribute.name!r} does not hold codes that have a {level}; keep its first characters, "
                f"such as {attribute.name}=3characters, or name a hierarchy, such as {attribute.name}=FILE.csv:1."
            )
        groups = zip(texts, grouped(kind, level, texts), strict=True)
        labels = [_OTHER if group == text else group for text, group in groups]
        return cls.of(attribute, labels, f"grouped by {level} of {kind.scheme}")

    @classmethod
    def of_level(cls, attribute: Attribute, taxonomy: Taxonomy, level: int) -> CategoryGroups:
        """Of a column by a level of its hierarchy; 0 are the values themselves."""
        check_complete(taxonomy, attribute.categories)
        if not 0 < level <= taxonomy.height:
            raise InputError(
                f"The hierarchy of {attribute.name!r} has the levels 1 to {taxonomy.height}; {level} was given."
            )
        labels = [taxonomy.levels[text][level] for text in attribute.categories]
        return cls.of(attribute, labels, f"grouped by level {level} of a hierarchy")

    def recode(self, values: Array) -> Codes:
        """The released code of every category."""
        return np.asarray(self.code_of[np.asarray(values, np.int64)], np.int32)

    @property
    def among_labels(self) -> Codes:
        """The code of every category among the labels alone; last, that of missing values."""
        labels = self.labels()
        return codes_among([*labels, None], tuple(dict.fromkeys(labels)))

    def labels(self) -> list[str]:
        """What every category of the column becomes, in their order."""
        return [self.categories[code] for code in self.code_of[:-1].tolist()]


Recoding = RoundedNumbers | Moments | CategoryGroups


def relabelled(
    attribute: Attribute, labels: Sequence[str | None], categories: Iterable[str], *, as_text: bool
) -> tuple[Attribute, Codes]:
    """The attribute with other categories, and the new code of each of its own by their labels; last, of missing.

    A flag stored as 0 and 1 cannot hold a word, so what may become one is stored `as_text`.
    """
    names = tuple(categories)
    storage = attribute.storage if attribute.storage in TEXT_STORAGES or not as_text else "String"
    return replace(attribute, categories=names, storage=storage), codes_among([*labels, None], names)


def coarse_attribute(attribute: Attribute, how: Recoding) -> Attribute:
    """The attribute of the coarser values; it has only the categories that others became."""
    if not isinstance(how, CategoryGroups):
        return replace(how, attribute=attribute).coarse
    labels = how.labels()
    changed, _ = relabelled(attribute, labels, dict.fromkeys(labels), as_text=True)
    # Groups are not codes any more, and nobody says that they have an order.
    return replace(changed, ordered=False, hierarchy="")


def _up(values: Floats, places: int) -> Floats:
    """The nearest number of the grid that is not below."""
    scale = 10.0**places
    return np.asarray(np.ceil(values * scale - _ON_GRID) / scale)


def starts(values: Floats, unit: str, storage: str, later: int = 0) -> Floats:
    """The first moment of every value's day, month, quarter or year, in UTC; or of one that is so much later."""
    tick = "D" if storage == "Date" else "s"
    known = ~np.isnan(values)
    moments = np.floor(np.where(known, values, 0.0)).astype(np.int64).astype(f"datetime64[{tick}]")
    if unit == "day":
        first = moments.astype("datetime64[D]") + later
    else:
        months = _MONTHS[unit]
        place = moments.astype("datetime64[M]").astype(np.int64) // months + later
        first = (place * months).astype("datetime64[M]")
    return np.where(known, first.astype(f"datetime64[{tick}]").astype(np.int64).astype(np.float64), np.nan)
