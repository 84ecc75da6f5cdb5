"""A small experiment like those of thesis 7.3, on a generated table: settings, parts and outcomes of a few ways."""

from __future__ import annotations

from functools import cache

import numpy as np

from hushwood.experiments.paper_tables import PaperTables
from hushwood.experiments.protocol import Outcome, Size
from hushwood.experiments.synthetic_tables import credit_risk
from hushwood.experiments.thesis_frameworks.runs import Setting, run_task, tasks_of
from hushwood.experiments.thesis_frameworks.ways import (
    EXTENDED,
    FRAMEWORK,
    ORIGINAL,
    RANDOM,
    RANDOM_EXTENDED,
    Way,
)
from hushwood.tables.table import Table
from hushwood.trees.options import GrowOptions

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
