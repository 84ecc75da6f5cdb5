"""Trees over the categories of an attribute: what a value may be generalised to, step by step.

They are read from ARX hierarchy files: one line per value, the value first, then ever wider groups, no header;
"Divorced;spouse not present;*". `automatic_taxonomies` makes them from the data.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from hushwood.errors import InputError
from hushwood.tables.csv_source import CsvSource, records, sniff_separator
from hushwood.tables.input_files import check_ordinary

ROOT = "*"
_FILE_MARK = "hierarchy_"


@dataclass(frozen=True, slots=True)
class Taxonomy:
    """The way up from every category of one attribute: itself first, then ever wider groups, the root last.

    All ways are equally long, as in an ARX hierarchy file.
    """

    attribute: str
    levels: Mapping[str, tuple[str, ...]]

    @property
    def height(self) -> int:
        """Steps from a category to the root."""
        return max((len(way) for way in self.levels.values()), default=1) - 1


def leaves_under(taxonomy: Taxonomy) -> dict[str, list[str]]:
    """The categories under every group, in the order of the taxonomy; categories themselves are no groups."""
    found: dict[str, list[str]] = {}
    for value, way in taxonomy.levels.items():
        for group in dict.fromkeys(way[1:]):
            if group != value:
                found.setdefault(group, []).append(value)
    return found


def check_taxonomy(taxonomy: Taxonomy) -> None:
    """Refuse ways of different length, a group in two wider groups, and a name for both a value and a group."""
    name, levels = taxonomy.attribute, taxonomy.levels
    lengths = {len(way): value for value, way in levels.items()}
    if len(lengths) > 1:
        short, long = min(lengths), max(lengths)
        raise InputError(
            f"The hierarchy of {name!r} gives {lengths[short]!r} {short} levels and {lengths[long]!r} {long}; "
            "all values need the same number."
        )
    parent: dict[tuple[int, str], str] = {}
    for value, way in levels.items():
        for level, (node, above) in enumerate(pairwise(way)):
            if parent.setdefault((level, node), above) != above:
                raise InputError(
                    f"The hierarchy of {name!r} puts {node!r} under both {parent[level, node]!r} and {above!r}; "
                    "a group may lie in one wider group only."
                )
            if above != value and above in levels:
                raise InputError(
                    f"The hierarchy of {name!r} uses {above!r} for a value and for a group; name the group differently."
                )


def check_complete(taxonomy: Taxonomy, categories: Iterable[str]) -> None:
    """Refuse a taxonomy that lacks some of the categories."""
    lacking = [category for category in categories if category not in taxonomy.levels]
    if lacking:
        raise InputError(
            f"The hierarchy of {taxonomy.attribute!r} has no line for {', '.join(map(repr, lacking[:3]))}"
            f"{' and others' if len(lacking) > 3 else ''}; add them, with as many groups as the others have."
        )


def read_hierarchy(path: Path, attribute: str | None = None, encoding: str = "utf-8") -> Taxonomy:
    """Read a hierarchy file; without an attribute, ARX's file names (`adult_hierarchy_age.csv`) tell it.

    Separators are semicolons, or else commas. If the widest groups are several, "*" is put above them.
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
            raise InputError(f"{path} has two lines for {way[0]!r}; keep one of them.")
        levels[way[0]] = way
    if not levels:
        raise InputError(f"{path} is empty; a hierarchy needs a line for every value.")
    check_taxonomy(Taxonomy(name, levels))
    return Taxonomy(name, _rooted(levels))


def _separator(text: str) -> str:
    """ARX writes semicolons; its intervals ("[1, 987[") hold commas of their own."""
    first = next(records(text, ";"), [])
    return ";" if len(first) > 1 else sniff_separator(text)


def _rooted(levels: dict[str, tuple[str, ...]]) -> dict[str, tuple[str, ...]]:
    """The same ways, ending in one root."""
    tops = {way[-1] for way in levels.values()}
    if len(tops) == 1 and all(len(way) > 1 for way in levels.values()):
        return levels
    return {value: (*way, ROOT) for value, way in levels.items()}
