"""All clusterings that CAPT can use, by name. To add one: its file, its test, a line here, a line in the docs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from hushwood.tables.table import Table
from hushwood.trees.options import GrowOptions
from hushwood.value_clusters.protocol import ValueGroups


@dataclass(frozen=True, slots=True)
class Clustering:
    """The function `<module>_groups` of a module that is imported when it is first called."""

    module: str

    def __call__(
        self, table: Table, attribute: str, options: GrowOptions, how: Any = None
    ) -> ValueGroups | None:
        """The groups of an attribute; None if nothing in the table explains it."""
        groups = getattr(self._loaded, f"{self.module}_groups")
        found: ValueGroups | None = (
            groups(table, attribute, options) if how is None else groups(table, attribute, options, how)
        )
        return found

    @property
    def parameters(self) -> type | None:
        """The dataclass of its parameters; None if it has none but those of trees."""
        default = getattr(self._loaded, "DEFAULT", None)
        return None if default is None else type(default)

    @property
    def _loaded(self) -> Any:
        return import_module(f"hushwood.value_clusters.{self.module}")


VALUE_CLUSTERS: Mapping[str, Clustering] = {
    "detective": Clustering("detective"),
    "ex-detective": Clustering("ex_detective"),
    "cactus": Clustering("cactus"),
    "rock": Clustering("rock"),
    "qrock": Clustering("qrock"),
    "coolcat": Clustering("coolcat"),
    "core": Clustering("core"),
    "stirr": Clustering("stirr"),
}
