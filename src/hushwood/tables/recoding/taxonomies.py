"""Taxonomies: trees over the categories of an attribute that say what a value may be generalised to, step by step.

They are read from ARX hierarchy files (one line per value, the value first, then ever wider groups, no header:
"Divorced;spouse not present;*"), follow from codes (postcodes by their first digits, ICD-10 by category and chapter),
or are made from the data, where values with similar class shares are grouped first. Numeric attributes need none:
their groups are intervals.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from hushwood.arrays import Array, Floats, Integers
from hushwood.errors import InputError
from hushwood.tables.columns.codes import codes_in, prefix_levels
from hushwood.tables.csv.source import CsvSource, records, sniff_separator
from hushwood.tables.formats.input_files import check_ordinary
from hushwood.tables.recoding.texts import braced
from hushwood.tables.schema import Attribute, Schema

ROOT = "*"
_FILE_MARK = "hierarchy_"

_FEW = 4  # fewer values than this get no groups below the root
_MANY = 2_000  # nor do more than this: the distances of all pairs would fill the memory


@dataclass(frozen=True, slots=True)
class Taxonomy:
    """The path up from every category of one attribute: itself first, then ever wider groups, the root last.

    All paths have the same length, as in an ARX hierarchy file.
    """

    attribute: str
    levels: Mapping[str, tuple[str, ...]]

    @property
    def height(self) -> int:
        """Steps from a category to the root."""
        return max((len(way) for way in self.levels.values()), default=1) - 1


def leaves_under(taxonomy: Taxonomy) -> dict[str, list[str]]:
    """The categories under every group, in the order of the taxonomy; a category is not a group."""
    found: dict[str, list[str]] = {}
    for value, way in taxonomy.levels.items():
        for group in dict.fromkeys(way[1:]):
            if group != value:
                found.setdefault(group, []).append(value)
    return found


def check_taxonomy(taxonomy: Taxonomy) -> None:
    """Refuse paths of different length, a group in two wider groups, and a name for both a value and a group."""
    name, levels = taxonomy.attribute, taxonomy.levels
    lengths = {len(way): value for value, way in levels.items()}
    if len(lengths) > 1:
        short, long = min(lengths), max(lengths)
        raise InputError(
            f"The hierarchy of {name!r} gives {lengths[short]!r} {short} levels and {lengths[long]!r} {long}. "
            "Give all values the same number."
        )
    parent: dict[tuple[int, str], str] = {}
    for value, way in levels.items():
        for level, (node, above) in enumerate(pairwise(way)):
            if parent.setdefault((level, node), above) != above:
                raise InputError(
                    f"The hierarchy of {name!r} puts {node!r} under both {parent[level, node]!r} and {above!r}. "
                    "Put every group under one wider group."
                )
            if above != value and above in levels:
                raise InputError(
                    f"The hierarchy of {name!r} uses {above!r} for both a value and a group. Rename the group."
                )


def check_complete(taxonomy: Taxonomy, categories: Iterable[str]) -> None:
    """Refuse a taxonomy without a line for some category."""
    lacking = [category for category in categories if category not in taxonomy.levels]
    if lacking:
        raise InputError(
            f"The hierarchy of {taxonomy.attribute!r} has no line for {', '.join(map(repr, lacking[:3]))}"
            f"{' and others' if len(lacking) > 3 else ''}. Add them, with as many groups as the other values have."
        )


def read_hierarchy(path: Path, attribute: str | None = None, encoding: str = "auto") -> Taxonomy:
    """Read a hierarchy file; the attribute's default is the one in ARX's file names (`adult_hierarchy_age.csv`).

    Separators are semicolons, or else commas. If there are several widest groups, "*" is put above them.
    """
    check_ordinary(path, "hierarchy file")
    name = attribute or path.name.removesuffix(".gz").removesuffix(".csv").rpartition(_FILE_MARK)[2]
    source = CsvSource(path, encoding)
    source.check_text()
    text = source.data.decode("utf-8")
    levels: dict[str, tuple[str, ...]] = {}
    for record in records(text, _separator(text)):
        way = tuple(field.strip() for field in record)
        if way[0] in levels:
            raise InputError(f"{path} has two lines for {way[0]!r}. Keep one.")
        levels[way[0]] = way
    if not levels:
        raise InputError(f"{path} is empty. A hierarchy needs a line for every value.")
    check_taxonomy(Taxonomy(name, levels))
    return Taxonomy(name, _rooted(levels))


def read_hierarchies(
    given: Mapping[str, Taxonomy | Path | str], encoding: str = "auto"
) -> dict[str, Taxonomy]:
    """The hierarchy of every column, read where it is a file."""
    return {
        name: how if isinstance(how, Taxonomy) else read_hierarchy(Path(how), name, encoding)
        for name, how in given.items()
    }


def taxonomies_from_json(said: Mapping[str, Mapping[str, Any]]) -> dict[str, Taxonomy]:
    """Hierarchies as a plan keeps them."""
    return {
        name: Taxonomy(name, {value: tuple(way) for value, way in each["levels"].items()})
        for name, each in said.items()
    }


def _separator(text: str) -> str:
    """ARX writes semicolons, because its intervals ("[1, 987[") contain commas."""
    first = next(records(text, ";"), [])
    return ";" if len(first) > 1 else sniff_separator(text)


def _rooted(levels: dict[str, tuple[str, ...]]) -> dict[str, tuple[str, ...]]:
    """The same paths, ending in one root."""
    tops = {way[-1] for way in levels.values()}
    if len(tops) == 1 and all(len(way) > 1 for way in levels.values()):
        return levels
    return {value: (*way, ROOT) for value, way in levels.items()}


def automatic_taxonomy(attribute: Attribute, counts: Array) -> Taxonomy:
    """A taxonomy over the categories, from `counts[category, class]`.

    Categories are ordered by an average-linkage clustering of their class shares; neighbours form groups of two, four,
    eight and so on, called "{a, b}". A category without records gets the class shares of the whole table.
    """
    names = attribute.categories
    if not _FEW <= len(names) <= _MANY or not np.size(counts):
        return Taxonomy(attribute.name, {name: (name, ROOT) for name in names})
    rank = np.argsort(_similarity_order(np.asarray(counts, np.float64)))
    between = (len(names) - 1).bit_length()
    labels = [_group_names(names, rank >> level) for level in range(1, between)]
    return Taxonomy(
        attribute.name, {name: (name, *(label[i] for label in labels), ROOT) for i, name in enumerate(names)}
    )


def _similarity_order(counts: Floats) -> Integers:
    """The categories in an order that places similar class shares next to each other."""
    from scipy.cluster.hierarchy import leaves_list, linkage

    totals = counts.sum(axis=1, keepdims=True)
    whole = counts.sum(axis=0) / max(counts.sum(), 1.0)
    shares = np.where(totals > 0, counts / np.maximum(totals, 1.0), whole)
    return np.asarray(leaves_list(linkage(shares, "average")), np.int64)


def _group_names(names: tuple[str, ...], groups: Integers) -> list[str]:
    members: dict[int, list[str]] = {}
    for name, group in zip(names, groups.tolist(), strict=True):
        members.setdefault(group, []).append(name)
    label = {g: found[0] if len(found) == 1 else braced(found) for g, found in members.items()}
    return [label[group] for group in groups.tolist()]


def code_taxonomy(attribute: Attribute) -> Taxonomy | None:
    """The taxonomy of a column of codes; None if it holds none, or if they do not form one.

    >>> zips = Attribute("zip", "categorical", categories=("101", "107", "801"), hierarchy="prefix")
    >>> code_taxonomy(zips).levels["107"]
    ('107', '10*', '1**', '*')
    """
    kind = codes_in(attribute)
    if kind is None:
        return None
    ways = prefix_levels(kind, attribute.categories)
    found = Taxonomy(attribute.name, {code: (*way, ROOT) for code, way in ways.items()})
    try:
        check_taxonomy(found)
    except InputError:
        return None  # such as a code that is itself the name of a group
    return found


def with_codes(given: Mapping[str, Taxonomy], names: Sequence[str], schema: Schema) -> dict[str, Taxonomy]:
    """The given taxonomies, and those of the columns of codes that have none."""
    own = {name: code_taxonomy(schema[name]) for name in names if name not in given}
    return {**{name: found for name, found in own.items() if found is not None}, **given}
