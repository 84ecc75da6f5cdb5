"""Named things, each in a module that is imported when the thing is first asked for.

    MEASURES: Registry[Measure] = Registry({"sers": "hushwood.measures.risk.sers:Sers"})

Names are known at once, so that a misspelt one is refused before anything is loaded.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import Any, TypeVar, cast

Named = TypeVar("Named")


class Registry(Mapping[str, Named]):
    """Things by name, in the order in which they are listed; a place is "module:name"."""

    def __init__(self, places: Mapping[str, str]) -> None:
        self._places = dict(places)

    def __getitem__(self, name: str) -> Named:
        module, _, attribute = self._places[name].partition(":")
        return cast("Named", getattr(import_module(module), attribute))

    def __or__(self, other: Registry[Any]) -> Registry[Any]:
        return Registry({**self._places, **other._places})

    def __contains__(self, name: object) -> bool:
        return name in self._places

    def __iter__(self) -> Iterator[str]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)
