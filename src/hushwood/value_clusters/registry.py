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
class NamedClustering:
    """Where a clustering's function is, and the dataclass of its parameters: `module.name`, imported when it is used.

    One that grows trees takes the rows to grow them on; the others count all records.
    """

    function: str
    parameter_class: str | None = None  # None if it has no parameters but those of trees
    grows_trees: bool = False

    def __call__(
        self,
        table: Table,
        attribute: str,
        options: GrowOptions,
        how: Any = None,
        rows: Integers | None = None,
    ) -> ValueGroups | None:
        """The groups of an attribute; None if nothing in the table explains it."""
        chosen = {} if how is None else {"how": how}
        chosen |= {"rows": rows} if self.grows_trees else {}
        groups: ValueGroups | None = _imported(self.function)(table, attribute, options, **chosen)
        return groups

    @property
    def parameters(self) -> type | None:
        """The dataclass of its parameters."""
        return None if self.parameter_class is None else _imported(self.parameter_class)


def _imported(name: str) -> Any:
    module, _, thing = name.partition(".")
    return getattr(import_module(f"hushwood.value_clusters.{module}"), thing)


VALUE_CLUSTERS: Mapping[str, NamedClustering] = {
    "detective": NamedClustering("detective.detective_groups", grows_trees=True),
    "ex-detective": NamedClustering(
        "detective.ex_detective_groups", "detective.ExDetective", grows_trees=True
    ),
    "cactus": NamedClustering("cactus.cactus_groups", "cactus.Cactus"),
    "rock": NamedClustering("rock.rock_groups", "rock.Rock"),
    "qrock": NamedClustering("rock.qrock_groups", "rock.Qrock"),
    "coolcat": NamedClustering("coolcat.coolcat_groups", "coolcat.Coolcat"),
    "core": NamedClustering("core.core_groups", "core.Core"),
    "stirr": NamedClustering("stirr.stirr_groups", "stirr.Stirr"),
}
