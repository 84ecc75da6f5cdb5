"""All engines by name. To add one: its file, a line here, and the contract suite runs over it."""

from __future__ import annotations

from collections.abc import Mapping

from hushwood.errors import InputError, unknown_name
from hushwood.releasing.engines import memory
from hushwood.releasing.engines.protocol import Engine

ENGINES: Mapping[str, Engine] = {"memory": memory.run}
PLANNED = ("streaming", "spark")


def engine_named(name: str) -> Engine:
    """The engine of that name; `auto` is the one that fits the table."""
    if name == "auto":
        return ENGINES["memory"]
    if name in PLANNED:
        raise InputError(f"The {name} engine is not there yet; use --engine memory.")
    if name not in ENGINES:
        raise unknown_name("engine", name, ("auto", *ENGINES))
    return ENGINES[name]
