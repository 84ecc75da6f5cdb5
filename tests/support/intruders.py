"""People whose attributes hang together, and releases of them; those of `attack_tables` are easy to tell apart."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from hushwood.attacks.judging.running import run_attack
from hushwood.attacks.judging.targets import Trial
from hushwood.attacks.protocol import Attack, Attacked, Knowledge, PredicateGuesses, Scenario
from hushwood.random_streams import Streams
from hushwood.tables.domains import evenly_drawn
from hushwood.tables.schema import Schema
from hushwood.tables.table import Table
from oracles import predicates as oracle
from support.mixed_tables import category, number, table_of, target
from support.table_pairs import STREAMS


def people(seed: int, rows: int) -> Table:
    """Incomes that follow from age and schooling, some of them negative, and two categories; no value is missing."""
    chance = np.random.default_rng(seed)
    age = chance.uniform(18, 90, rows)
    school = chance.normal(0, 1, rows) + age / 40
    income = 30 * school + age / 3 - 60 + chance.normal(0, 4, rows)
    town = chance.integers(0, 5, rows)
    job = np.clip(np.rint(2 * school + chance.normal(0, 0.4, rows)), 0, 6)
    rich = (income > np.median(income)).astype(int)
    numeric = {"age": age, "school": school, "income": income}
    columns = {n: (number(n, v.min(), v.max(), None), v.tolist()) for n, v in numeric.items()}
    return table_of(
        {
            **columns,
            "town": (category("town", tuple("abcde")), town.tolist()),
            "job": (category("job", tuple("ghijklm")), job.tolist()),
            "rich": (target("rich", ("no", "yes")), rich.tolist()),
        }
    )


def unrelated(table: Table, seed: int) -> Table:
    """Pure noise: every value drawn evenly from its column's domain."""
    streams = Streams(bytes([seed] * 32))
    attributes = table.schema.attributes
    return table.with_columns({a.name: evenly_drawn(a, table.rows, streams, "noise") for a in attributes})


def barely_hidden(table: Table, seed: int, share: float = 0.01) -> Table:
    """A weak release: noise of a small share of each number's range, and few categories changed."""
    chance = np.random.default_rng(seed)
    columns = {}
    for name, values in table.columns.items():
        if values.dtype.kind == "f":
            noise = chance.normal(0, share * (np.nanmax(values) - np.nanmin(values)), table.rows)
            columns[name] = values + noise
        else:
            columns[name] = np.where(chance.random(table.rows) < share, chance.permutation(values), values)
    return table.with_columns(columns)


def knowing(table: Table, names: Sequence[str] = (), **more: Any) -> Knowledge:
    """What is known if the targets are all rows of a table, in its order."""
    return Knowledge(table.schema, table.rows, {name: table.columns[name] for name in names}, **more)


def attacked(attack: Attack, scenario: Scenario, original: Table, released: Table, **more: Any) -> Attacked:
    """How the attack goes on a release whose rows are in the original's order."""
    options: dict[str, Any] = {
        "partner": np.arange(original.rows),
        "streams": STREAMS,
        "targets": 1000,
    } | more
    done = run_attack(Trial(attack, scenario, original, released, **options))
    assert isinstance(done, Attacked), done
    return done


def only(table: Table, names: Sequence[str]) -> Table:
    """Some columns of the table."""
    schema = Schema(tuple(table.schema[name] for name in names))
    return replace(table, schema=schema, columns={name: table.columns[name] for name in names})


def in_words(predicates: PredicateGuesses, table: Table) -> list[oracle.Predicate]:
    """The predicates as the oracle takes them: category names instead of codes."""
    found = []
    for p in range(len(predicates)):
        terms = []
        for i in range(int(predicates.begin[p]), int(predicates.begin[p + 1])):
            attribute, value = table.schema[predicates.column[i]], float(predicates.value[i])
            shown: oracle.Value = value
            if predicates.operator[i] == "missing":
                shown = None
            elif attribute.kind == "categorical":
                shown = attribute.categories[int(value)]
            terms.append((attribute.name, predicates.operator[i], shown))
        found.append(frozenset(terms))
    return found


# What must not matter to an intruder, as factor and offset of all numbers: zero point, unit and sign.
UNITS = {
    "shifted": (1.0, 1024.0),
    "far below zero": (1.0, -4096.0),
    "scaled": (8.0, 0.0),
    "negated": (-1.0, 0.0),
}
