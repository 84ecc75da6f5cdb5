"""Whether a released file has the rows, the columns and the types that it must have."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from hushwood.tables.frames.storage import TEXT_STORAGES, storage_name
from hushwood.tables.schema import Attribute, Schema
from hushwood.techniques.laws.promises import Promise

if TYPE_CHECKING:
    import polars as pl


class Shape:
    """What is wrong with the shape of a file, batch by batch; without promises, only rows are counted."""

    def __init__(
        self, schema: Schema, rows: int, promises: Mapping[str, Promise] | None, typed: bool
    ) -> None:
        self.schema, self.rows, self.promises, self.typed = schema, rows, promises, typed
        self.found = 0
        self._renamed = False
        self._types: dict[str, str] = {}

    def add(self, released: pl.DataFrame) -> None:
        """Look at a batch."""
        self.found += released.height
        if self.promises is None:
            return
        if released.columns != list(self.promises):
            self._renamed = True
            return
        for name, promise in self.promises.items():
            # Without any value, a column of a text file has no type.
            if self.typed or released[name].null_count() < released.height:
                fault = type_fault(self.schema[name], released[name].dtype, promise, self.typed)
                self._types |= {name: fault} if fault and name not in self._types else {}

    @property
    def broken(self) -> bool:
        """Whether no batch can mend it any more."""
        return self._renamed or bool(self._types) or self.found > self.rows

    @property
    def faults(self) -> tuple[str, ...]:
        """All that is wrong, when all batches were seen."""
        if self.promises is None:
            return ()
        if self.found != self.rows:
            return (f"the file has {self.found:,} records instead of {self.rows:,}",)
        if self._renamed:
            return ("the file has other columns than those that were to go out",)
        return tuple(self._types[name] for name in self.promises if name in self._types)


def type_fault(attribute: Attribute, dtype: pl.DataType, promise: Promise, typed: bool) -> str | None:
    """What is wrong with the type of a released column; a file that is not `typed` has only rough types."""
    if promise.values == "numbered":
        return None  # `together` looks at the numbers
    wanted, found = _type(attribute.storage, typed), _type(storage_name(dtype), typed)
    relabelled = promise.values == ("generalised" if attribute.kind == "categorical" else "ranges")
    if wanted == found or (relabelled and (found == "text" or not typed)):
        return None
    return f"column {attribute.name!r} was written as {storage_name(dtype)} and not as {attribute.storage}"


def _type(storage: str, typed: bool) -> str:
    """What a storage is compared by: texts are texts, and a text file does not say how wide its numbers are."""
    if storage in TEXT_STORAGES:
        return "text"
    outer, nested, _ = storage.partition("(")
    if nested and outer in {"List", "Array", "Struct"}:
        return outer  # categories inside go out as texts; the values are compared one by one
    if typed:
        return storage
    name = storage.partition("[")[0]
    return {"I": "whole", "U": "whole", "F": "real"}.get(name[0], name)
