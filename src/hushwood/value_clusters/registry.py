"""All clusterings that CAPT can use, by name. To add one: its file, its test, a line here, a line in the docs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from hushwood.arrays import Integers
    from hushwood.tables.table import Table
    from hushwood.trees.options import GrowOptions
    from hushwood.value_clusters.protocol import ValueGroups


@dataclass(frozen=True, slots=True)
class Clustering:
    """The function `<module>_groups` of a module that is imported when it is first called.

    One that grows trees takes the rows to grow them on; the others count all records. Those without parameters of their
    own have those of trees.
    """

    module: str
    grows_trees: bool = False
    has_parameters: bool = True

    def __call__(
        self,
        table: Table,
        attribute: str,
        options: GrowOptions,
        how: Any = None,
        rows: Integers | None = None,
    ) -> ValueGroups | None:
        """The groups of an attribute; None if nothing in the table explains it."""
        groups = getattr(self._loaded, f"{self.module}_groups")
        given = {} if how is None else {"how": how}
        found: ValueGroups | None = groups(
            table, attribute, options, **given, **({"rows": rows} if self.grows_trees else {})
        )
        return found

    @property
    def parameters(self) -> type | None:
        """The dataclass of its parameters; None if it has none but those of trees."""
        return type(self._loaded.DEFAULT) if self.has_parameters else None

    @property
    def _loaded(self) -> Any:
        return import_module(f"hushwood.value_clusters.{self.module}")


VALUE_CLUSTERS: Mapping[str, Clustering] = {
    "detective": Clustering("detective", grows_trees=True, has_parameters=False),
    "ex-detective": Clustering("ex_detective", grows_trees=True),
    "cactus": Clustering("cactus"),
    "rock": Clustering("rock"),
    "qrock": Clustering("qrock"),
    "coolcat": Clustering("coolcat"),
    "core": Clustering("core"),
    "stirr": Clustering("stirr"),
}
