"""A clustering of a whole table is made once, though CAPT asks for it again for every attribute.

Only the last result is kept, and it is given again only for the very same column arrays and equal parameters.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, Concatenate, NamedTuple, ParamSpec, TypeVar
from weakref import ref

from hushwood.tables.table import Table

P = ParamSpec("P")
R = TypeVar("R")


class _Asked(NamedTuple):
    """What was asked for last, without keeping the table in memory, and the answer."""

    schema: object
    columns: dict[str, ref[Any]]
    parameters: tuple[Any, ...]
    answer: Any

    def again(self, table: Table, parameters: tuple[Any, ...]) -> bool:
        same = self.columns.keys() == table.columns.keys() and all(
            kept() is table.columns[name] for name, kept in self.columns.items()
        )
        return same and self.schema == table.schema and self.parameters == parameters


def once_per_table(cluster: Callable[Concatenate[Table, P], R]) -> Callable[Concatenate[Table, P], R]:
    """Remember the last answer of a function of a table that is never changed in place."""
    last: list[_Asked] = []

    @wraps(cluster)
    def remembered(table: Table, /, *args: P.args, **kwargs: P.kwargs) -> R:
        parameters = (args, kwargs)
        asked = last[0] if last else None
        if asked is None or not asked.again(table, parameters):
            columns = {name: ref(column) for name, column in table.columns.items()}
            asked = _Asked(table.schema, columns, parameters, cluster(table, *args, **kwargs))
            last[:] = [asked]
        answer: R = asked.answer
        return answer

    return remembered
