"""Releases in which members can be found in one way, and hardly in any other."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from hushwood.arrays import Array, Flags
from hushwood.attacks.judging.running import run_attack
from hushwood.attacks.judging.targets import Trial
from hushwood.attacks.membership import Membership
from hushwood.attacks.protocol import Attacked, Scenario
from hushwood.tables.table import Table
from support.intruders import barely_hidden, people
from support.mixed_tables import category, number, table_of, target
from support.rearranged_tables import column_by_column_shuffled
from support.table_pairs import STREAMS

Chance = np.random.Generator


@dataclass(frozen=True)
class Planted:
    """A table, a release of it without pairing, and people who were never in the table."""

    original: Table
    released: Table
    holdout: Table

    def attacked(self, targets: int = 1000, **more: Any) -> Attacked:
        """The whole family, with all attributes known."""
        scenario = Scenario("whole record", "", tuple(self.original.columns))
        trial = Trial(
            Membership(**more),
            scenario,
            self.original,
            self.released,
            partner=None,
            streams=STREAMS,
            holdout=self.holdout,
            targets=targets,
        )
        found = run_attack(trial)
        assert isinstance(found, Attacked), found
        return found

    def successes(self) -> dict[str, float]:
        """The success of every way."""
        return {way["by"]: way["success"] for way in self.attacked().details["variants"]}


def noised_copy(seed: int) -> Planted:
    """Records whose numbers all moved a little: no value is the same."""
    original = people(seed, 1000)
    return Planted(original, barely_hidden(original, seed + 1, 0.01), people(seed + 2, 2000))


def shuffled_margins(seed: int) -> Planted:
    """Every column is shuffled on its own: records are gone, unique numbers are all there."""
    original = people(seed, 1000)
    return Planted(original, column_by_column_shuffled(original, seed + 1), people(seed + 2, 2000))


def shuffled_blocks(seed: int) -> Planted:
    """Columns of common values, shuffled two by two: pairs of values stay, records do not."""

    def drawn(rows: int, chance: Chance) -> dict[str, Array]:
        return {f"c{place}": chance.integers(0, 60, rows) for place in range(8)}

    original, holdout = (_codes(drawn(rows, np.random.default_rng(seed + rows))) for rows in (1000, 2000))
    chance = np.random.default_rng(seed)
    orders = [chance.permutation(1000) for _ in range(5)]
    columns = {
        name: values[orders[place // 2]] for place, (name, values) in enumerate(original.columns.items())
    }
    return Planted(original, original.with_columns(columns), holdout)


def crowded_neighbourhoods(seed: int, copies: int = 1, moved: float = 0.1) -> Planted:
    """Kinds of people whose numbers differ a little or much; everybody moves by a share of what is usual in the kind.

    A stranger of a narrow kind is nearer to some released record than a member of a wide kind is to the own one.
    """

    def drawn(rows: int, chance: Chance) -> tuple[Array, Array]:
        width = 10 ** chance.uniform(-3.5, 0, rows)
        return width, np.stack([width * chance.normal(0, 1, rows) for _ in range(4)])

    chance = np.random.default_rng(seed)
    width, numbers = drawn(1000, chance)
    released = np.concatenate(
        [numbers + moved * width * chance.normal(0, 1, numbers.shape) for _ in range(copies)], axis=1
    )
    others = drawn(2000, np.random.default_rng(seed + 1))[1]
    return Planted(_numbers(numbers), _numbers(released), _numbers(others))


def several_copies(seed: int) -> Planted:
    """Everybody is released twelve times and moved far: one near record says little, several say more."""
    return crowded_neighbourhoods(seed, copies=12, moved=0.35)


def one_telling_attribute(seed: int) -> Planted:
    """The table holds people of one kind, which one of 25 columns shows; the release is a fresh sample of that kind."""

    def drawn(rows: int, chance: Chance, of_kind: Flags) -> dict[str, Array]:
        kind = np.where(of_kind, chance.random(rows) < 0.9, chance.random(rows) < 0.3)
        return {"kind": kind.astype(int)} | {f"c{i}": chance.integers(0, 8, rows) for i in range(24)}

    members, released, others = (
        _codes(drawn(rows, np.random.default_rng(seed + place), np.full(rows, place < 2)))
        for place, rows in enumerate((1000, 1000, 2000))
    )
    return Planted(members, released, others)


def memorised_classes(seed: int) -> Planted:
    """Many new records of two columns that decide the class and six that say nothing.

    A record has mostly the class of the member that is nearest in the two, although members' own classes are pure
    chance: the release remembers its members in this alone.
    """
    chance = np.random.default_rng(seed)

    def placed(points: Array, classes: Array) -> Table:
        columns = {f"x{i}": (number(f"x{i}", 0, 1, None), row.tolist()) for i, row in enumerate(points)}
        return table_of(columns | {"k": (target("k", "abcd"), classes.tolist())})

    points, classes = chance.random((8, 200)), chance.integers(0, 4, 200)
    fresh = chance.random((8, 12_000))
    near = ((fresh[:2, :, None] - points[:2, None, :]) ** 2).sum(axis=0).argmin(axis=1)
    kept = chance.random(12_000) < 0.85
    release = placed(fresh, np.where(kept, classes[near], chance.integers(0, 4, 12_000)))
    others = placed(chance.random((8, 1200)), chance.integers(0, 4, 1200))
    return Planted(placed(points, classes), release, others)


# The ways that must win, and where.
PLANTED = {
    "nearest record": noised_copy,
    "unique values": shuffled_margins,
    "rare pairs": shuffled_blocks,
    "density ratio, 1 neighbour": crowded_neighbourhoods,
    "density ratio, 5 neighbours": several_copies,
    "classifier": one_telling_attribute,
    "class loss": memorised_classes,
}


def _codes(columns: Mapping[str, Array]) -> Table:
    names = tuple(f"v{code}" for code in range(60))
    first = {name: (category(name, names), values.tolist()) for name, values in columns.items()}
    rows = len(next(iter(columns.values())))
    return table_of(first | {"k": (target("k", "a"), [0] * rows)})


def _numbers(numbers: Array) -> Table:
    columns = {f"x{i}": (number(f"x{i}", -9, 9, None), row.tolist()) for i, row in enumerate(numbers)}
    return table_of(columns | {"k": (target("k", "a"), [0] * numbers.shape[1])})
