"""People to attack, and releases of them: untouched, weak and pure noise; and the same with columns on other scales."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from hushwood.arrays import Array, Integers
from hushwood.tables.schema import Attribute, Schema
from hushwood.tables.table import Table
from support.mixed_tables import category, number, table_of, target
from support.rearranged_tables import in_another_unit

CITIES = ("Arm", "Bri", "Can", "Mel", "New", "Syd")
JOBS = tuple("abcdefghijkl")


@dataclass(frozen=True)
class Attackable:
    """A table, its release, the released row of every record, and people who were never in the table."""

    original: Table
    released: Table
    partner: Integers
    holdout: Table


def people(seed: int, rows: int) -> Table:
    """People told apart by age, city and job, and as well by their height and balance, which is mostly negative."""
    chance = np.random.default_rng(seed)
    age = chance.integers(17, 91, rows)
    city, job = chance.integers(0, len(CITIES), rows), chance.integers(0, len(JOBS), rows)
    height = chance.normal(170, 10, rows)
    balance = -np.exp(chance.normal(6, 1, rows)) + 3 * (height - 170) + 5.0 * job
    rich = (balance > -400).astype(int) ^ (chance.random(rows) < 0.1)
    columns: dict[str, tuple[Attribute, Array]] = {
        "age": (number("age", 17, 90), age),
        "height": (number("height", 120, 220, None), np.clip(height, 120, 220)),
        "balance": (number("balance", -30_000, 200, None), np.clip(balance, -30_000, 200)),
        "city": (category("city", CITIES), city),
        "job": (category("job", JOBS), job),
        "rich": (target("rich", ("no", "yes")), rich),
    }
    table = table_of({name: (a, values.tolist()) for name, (a, values) in columns.items()})
    schema = table.schema.with_role(("age", "city", "job"), "quasi-identifier").with_role(
        ("balance",), "confidential"
    )
    return replace(table, schema=schema)


def untouched(seed: int, rows: int) -> Attackable:
    """The table itself, in another order."""
    original = people(seed, rows)
    order = np.random.default_rng(seed + 1).permutation(rows)
    return Attackable(original, original.take(order), np.argsort(order), people(seed + 2, rows))


def weak(seed: int, rows: int) -> Attackable:
    """Numbers moved by about a hundredth of their spread, one category in twenty changed, in another order."""
    pair = untouched(seed, rows)
    chance = np.random.default_rng(seed + 3)
    columns: dict[str, Array] = {}
    for name, values in pair.released.columns.items():
        if values.dtype.kind == "f":
            columns[name] = values + chance.normal(0, 0.01 * values.std(), rows)
        else:
            columns[name] = np.where(chance.random(rows) < 0.05, chance.permutation(values), values)
    return replace(pair, released=pair.released.with_columns(columns))


def noisier(pair: Attackable, seed: int, share: float) -> Attackable:
    """The same pair with noise of a share of their spread on the released numbers."""
    chance = np.random.default_rng(seed)
    columns = {
        name: values + chance.normal(0, share * values.std(), len(values))
        for name, values in pair.released.columns.items()
        if values.dtype.kind == "f"
    }
    return replace(pair, released=pair.released.with_columns(columns))


def pure_noise(seed: int, rows: int) -> Attackable:
    """Values drawn evenly from the domains, whatever the original says."""
    pair = untouched(seed, rows)
    chance = np.random.default_rng(seed + 4)
    columns: dict[str, Array] = {}
    for a in pair.released.schema.attributes:
        if a.kind == "categorical":
            columns[a.name] = chance.integers(0, len(a.categories), rows).astype(np.int32)
        elif a.low is not None and a.high is not None:
            drawn = chance.uniform(a.low, a.high, rows)
            columns[a.name] = np.rint(drawn) if a.integer else drawn
    return replace(pair, released=pair.released.with_columns(columns))


def on_scale(pair: Attackable, factor: float, shift: float, whole: bool = False) -> Attackable:
    """The same pair with every numeric column multiplied and shifted, in all tables; of whole numbers or of reals."""
    return Attackable(
        _scaled(pair.original, factor, shift, whole),
        _scaled(pair.released, factor, shift, whole),
        pair.partner,
        _scaled(pair.holdout, factor, shift, whole),
    )


def reordered(pair: Attackable, seed: int) -> Attackable:
    """The same pair with the release's rows in another order."""
    order = np.random.default_rng(seed).permutation(pair.released.rows)
    return replace(pair, released=pair.released.take(order), partner=np.argsort(order)[pair.partner])


def _scaled(table: Table, factor: float, shift: float, whole: bool) -> Table:
    moved = in_another_unit(table, factor, shift)
    decimals = {a.name: a.precision if whole else None for a in table.schema.attributes}
    attributes = (replace(a, precision=decimals[a.name]) for a in moved.schema.attributes)
    return replace(moved, schema=Schema(tuple(attributes)))
