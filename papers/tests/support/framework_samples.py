"""A small experiment like those of thesis 7.3, on a generated table: settings, parts and outcomes of a few ways."""

from __future__ import annotations

from functools import cache

import numpy as np

from hushwood.demo.synthetic_tables import credit_risk
from hushwood.tables.table import Table
from hushwood.trees.options import GrowOptions
from hushwood_papers.paper_tables import PaperTables
from hushwood_papers.protocol import Outcome, Size
from hushwood_papers.thesis_frameworks.releases import (
    EXTENDED,
    FRAMEWORK,
    ORIGINAL,
    RANDOM,
    RANDOM_EXTENDED,
    Setting,
    Way,
    run_task,
    tasks_of,
)

WAYS = (ORIGINAL, FRAMEWORK, EXTENDED, RANDOM, RANDOM_EXTENDED, Way("extended-framework", "rotation"))


def generated(tables: PaperTables) -> tuple[Table, Table]:
    """Every sixth record is for testing."""
    del tables
    table = credit_risk(900, bytes(32))
    tested = np.arange(table.rows) % 6 == 0
    return table.take(np.flatnonzero(~tested)), table.take(np.flatnonzero(tested))


SETTING = Setting("generated", GrowOptions("see5", min_leaf=20), generated, categories=("City",))


@cache
def outcomes(repeats: int = 5) -> dict[str, Outcome]:
    """All tasks of the small experiment, done."""
    return {
        task.name: run_task("sample", SETTING, task, PaperTables())
        for task in tasks_of(WAYS, Size(repeats=repeats))
    }
