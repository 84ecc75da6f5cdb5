"""One released text of a categorical column, read as the set of original categories that it stands for.

`generalised` reads whole columns with it; texts of numeric columns are read by `interval_texts`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from hushwood.tables.category_labels import MISSING
from hushwood.tables.interval_texts import stands_for_anything
from hushwood.tables.taxonomies import Taxonomy, leaves_under

_IN_BRACES = re.compile(r"[{\[(](.*)[})\]]", re.DOTALL)
_MASKED = re.compile(r"([^*]+)(\*+)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class CategoryReader:
    """What texts may mean: the categories themselves, and the groups of a taxonomy as lists of positions."""

    categories: Sequence[str]
    place: Mapping[str, int]
    groups: Mapping[str, Sequence[int]]

    @classmethod
    def of(cls, categories: Sequence[str], taxonomy: Taxonomy | None) -> CategoryReader:
        """A reader for these categories; values of the taxonomy that are no categories do not count."""
        place = {category: i for i, category in enumerate(categories)}
        under = leaves_under(taxonomy) if taxonomy else {}
        groups = {node: [place[leaf] for leaf in leaves if leaf in place] for node, leaves in under.items()}
        return cls(categories, place, groups)

    def read(self, text: str) -> Sequence[int]:
        """Positions of the categories that a text stands for; none if it is unknown."""
        return self._one(text) or self._set(text)

    def _one(self, text: str) -> Sequence[int]:
        """A category, a group, everything, or a text whose tail is masked."""
        if text in self.place:
            return [self.place[text]]
        if stands_for_anything(text):
            return range(len(self.categories))
        if text in self.groups:
            return self.groups[text]
        if text.strip() != text:
            return self._one(text.strip())
        found = _MASKED.fullmatch(text)
        return self._masked(found[1], len(text), len(found[2])) if found else []

    def _masked(self, start: str, length: int, stars: int) -> Sequence[int]:
        """Categories with that start; several stars stand for one sign each if some category is as long."""
        begin = [i for i, category in enumerate(self.categories) if category.startswith(start)]
        exact = [i for i in begin if len(self.categories[i]) == length]
        return exact if stars > 1 and exact else begin

    def _set(self, text: str) -> Sequence[int]:
        """The union of the parts, if each of them means something; "missing" beside others may be one of them."""
        braced = _IN_BRACES.fullmatch(text.strip())
        inside = braced[1] if braced else text
        for separator in ("|", ";", ",") if braced else ("|", ";"):
            texts = [text.strip() for text in inside.split(separator)]
            parts = [self._one(text) for text in texts if text != MISSING or text in self.place]
            if parts and all(parts) and (len(texts) > 1 or braced):
                return sorted({i for part in parts for i in part})
        return []
