"""A table in memory perturbed by a plan: what the engine for such tables does, or persons level by level.

Nothing here touches files; `jobs` writes what comes out, and `certificate` checks it.
"""

from __future__ import annotations

from hushwood.arrays import Integers
from hushwood.random_streams import Streams
from hushwood.releasing.engines.memory import InMemory, laid_out
from hushwood.releasing.options import PerturbOptions
from hushwood.releasing.perturbed import Perturbed
from hushwood.stages import Stage, silent
from hushwood.tables.persons.units import unit_columns
from hushwood.tables.resampling import resampled
from hushwood.tables.table import Table
from hushwood.trees.forest import Forest

__all__ = ["PerturbOptions", "Perturbed", "laid_out", "perturb"]


def perturb(
    table: Table,
    options: PerturbOptions,
    streams: Streams,
    forest: Forest | None = None,
    stage: Stage = silent,
    row_ids: Integers | None = None,
) -> Perturbed:
    """Learn the rules, cut the table into segments, and perturb every column by the plan.

    `row_ids`, ascending, identify the rows of a table that has no order of its own. Some techniques draw the people
    first.
    """
    if options.drawn:
        table, row_ids = resampled(table, streams)
    if unit_columns(table.schema):
        from hushwood.releasing.persons.perturb_persons import perturb_persons

        return perturb_persons(table, options, streams, forest, stage, row_ids)
    in_memory = InMemory(table, options, streams, row_ids, stage)
    in_memory.learn(forest)
    in_memory.change()
    return in_memory.perturbed()
