"""A small document of the frontier with numbers that are easy to follow, for tests of page and pictures."""

from __future__ import annotations

from frontier.contenders import BY_NAME, DIAL, OURS, shuffled
from frontier.document import Document
from frontier.running import Run
from frontier.yardstick import RISK, UTILITY

NAMES = ("untouched", "framework", "rankswap", *(shuffled(k).name for k in DIAL))
TABLES = ("wbc", "wine", "iris")


def small_document() -> Document:
    """Two development tables and one that is shown apart; risk falls with k, and rankswap fails on one table."""
    runs = [_run(table, place, name) for place, table in enumerate(TABLES) for name in NAMES]
    runs[2] = Run("wbc", 0, "rankswap", not_applicable="It finds no column.")
    about = {name: {"family": BY_NAME[name].family} for name in NAMES}
    return Document(
        {"python": "3.11"}, about, {"arfpy": "it is not installed", "noise": "it is not installed"}, runs
    )


def _run(table: str, place: int, name: str) -> Run:
    level = NAMES.index(name)
    values: dict[str, float | None] = dict.fromkeys(UTILITY, 0.9 - 0.01 * level - 0.02 * place)
    values |= {key: (0.5 if key.startswith("membership") else 0.0) + 0.2 / (level + 1) for key in RISK}
    if name == OURS:
        values |= {"accuracy_share": 0.99, "linkage": None}
    return Run(table, 0, name, values | {"kept": 1.0, "seconds": 0.5})
