"""Who is attacked and what the intruder is given of them; the map back to the truth stays with the scorer.

Targets come in an order that only the key knows, as copies that cannot be written to, without row numbers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from hushwood.attacks.guesses import Rows
from hushwood.attacks.protocol import Goal, Knowledge, Scenario
from hushwood.attacks.scoring import Truth
from hushwood.random_streams import Streams
from hushwood.tables.table import Array, Table

_PURPOSE = "attack"


@dataclass(frozen=True, slots=True)
class Known:
    """The knowledge that goes to an attack, and the truth that does not."""

    knowledge: Knowledge
    truth: Truth


def draw_rows(rows: Rows, count: int, streams: Streams, name: str = "targets") -> Rows:
    """Some of the rows, in keyed order."""
    return rows[streams.order(_PURPOSE, name, rows)[:count]]


def targets_of(
    table: Table, rows: Rows, scenario: Scenario, goal: Goal, partner: Rows | None, streams: Streams
) -> Known:
    """What an intruder of this scenario knows of these rows of a table."""
    second_order, other = None, {}
    if goal == "parts":
        order = draw_rows(np.arange(len(rows)), len(rows), streams, "second parts")
        second_order = np.empty_like(order)
        second_order[order] = np.arange(len(order))
        other = _copies(table, rows[order], scenario.other)
    knowledge = Knowledge(
        table.schema, len(rows), _copies(table, rows, scenario.knows), other, wants=scenario.wants
    )
    partner_rows = None if partner is None else partner[rows]
    return Known(knowledge, Truth(table, rows, partner_rows, second_order, wants=scenario.wants))


def members_and_others(
    table: Table, rows: Rows, holdout: Table, count: int, scenario: Scenario, streams: Streams
) -> Known:
    """As many people of the table as people who were never in it, mixed in keyed order."""
    each = min(count // 2, len(rows), holdout.rows)
    inside = draw_rows(rows, each, streams)
    outside = draw_rows(np.arange(holdout.rows), each, streams, "others")
    order = draw_rows(np.arange(2 * each), 2 * each, streams, "members and others")
    target_rows = np.concatenate((inside, np.full(each, -1)))[order]
    columns = {
        name: _locked(np.concatenate((table.columns[name][inside], holdout.columns[name][outside]))[order])
        for name in scenario.knows
    }
    truth = Truth(table, target_rows, members=target_rows >= 0)
    return Known(Knowledge(table.schema, 2 * each, columns), truth)


def _copies(table: Table, rows: Rows, names: Sequence[str]) -> dict[str, Array]:
    return {name: _locked(table.columns[name][rows]) for name in names}


def _locked(values: Array) -> Array:
    values.flags.writeable = False
    return values
