"""Twelve generated tables with planted links of every kind between their columns, each with columns of noise."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, timedelta
from typing import NamedTuple

import numpy as np
import polars as pl

from hushwood.arrays import Array, Floats, Integers
from hushwood.tables.links.links import Combinations, Condition, Constant, Determines, Link, Order, Sum

FIRST_DAY = date(2021, 1, 1)


class Linked(NamedTuple):
    """A table, its class, and all links that hold in it; `within` names the column that groups its records."""

    frame: pl.DataFrame
    target: str
    links: tuple[Link, ...]
    within: str | None = None


def chance_of(name: str) -> np.random.Generator:
    return np.random.default_rng(list(name.encode()))


def texts(names: str | list[str], codes: Integers, missing: Array | None = None) -> list[str | None]:
    """The name of every code; None where it is missing."""
    known = names.split() if isinstance(names, str) else names
    blank = np.zeros(len(codes), bool) if missing is None else missing
    return [None if gone else known[code] for code, gone in zip(codes, blank, strict=True)]


def numbers(values: Array, decimals: int = 0, missing: Array | None = None) -> list[float | int | None]:
    """Numbers with that many decimals; None where they are missing."""
    blank = np.zeros(len(values), bool) if missing is None else missing
    rounded = [round(float(value), decimals) for value in values]
    kept = [int(value) for value in rounded] if decimals == 0 else rounded
    return [None if gone else value for value, gone in zip(kept, blank, strict=True)]


def days(since: Integers) -> list[date]:
    return [FIRST_DAY + timedelta(days=int(day)) for day in since]


def with_noise(
    chance: np.random.Generator, columns: dict[str, list[object]], score: Array
) -> tuple[pl.DataFrame, str]:
    """The columns with three of noise, and a class that follows the score."""
    rows = len(score)
    shown = (score - score.mean()) / score.std() + chance.normal(0, 0.7, rows)
    noise: dict[str, list[object]] = {
        "age": list(numbers(np.clip(chance.normal(45, 14, rows), 18, 90))),
        "weight": list(numbers(chance.normal(72, 13, rows), 1)),
        "blood": list(texts("0 A B AB", chance.choice(4, rows, p=[0.43, 0.4, 0.12, 0.05]))),
    }
    outcome: dict[str, list[object]] = {"outcome": list(texts("low high", (shown > 0).astype(int)))}
    return pl.DataFrame(columns | noise | outcome), "outcome"


def cities() -> Linked:
    """The city determines the state: 40 cities in 9 states."""
    chance = chance_of("cities")
    state_of = np.arange(40) * 9 // 40
    city = chance.choice(40, 2000, p=_falling(40))
    columns: dict[str, list[object]] = {
        "city": list(texts([f"city {i:02}" for i in range(40)], city)),
        "state": list(texts([f"state {i}" for i in range(9)], state_of[city])),
    }
    return Linked(*with_noise(chance, columns, state_of[city] * 1.0), (Determines("city", ("state",)),))


def areas() -> Linked:
    """The town determines the county and the county the state; what follows from these two is not a third link."""
    chance = chance_of("areas")
    town = chance.choice(36, 2500, p=_falling(36))
    county_of, state_of = np.arange(36) // 3, np.arange(12) // 3
    columns: dict[str, list[object]] = {
        "town": list(texts([f"town {i:02}" for i in range(36)], town)),
        "county": list(texts([f"county {i:02}" for i in range(12)], county_of[town])),
        "state": list(texts([f"state {i}" for i in range(4)], state_of[county_of[town]])),
    }
    links = (Determines("county", ("state",)), Determines("town", ("county",)))
    return Linked(*with_noise(chance, columns, county_of[town] * 1.0), links)


def grades() -> Linked:
    """A grade of 1 to 6 determines a word and a fee, a number; the word determines the grade, too."""
    chance = chance_of("grades")
    grade = chance.choice(6, 1500, p=[0.1, 0.25, 0.3, 0.2, 0.1, 0.05])
    fee = np.array([120.0, 120.0, 250.0, 250.0, 400.0, 400.0])
    columns: dict[str, list[object]] = {
        "grade": list(numbers(grade + 1.0)),
        "word": list(texts("best good fair weak poor none", grade)),
        "fee": list(numbers(fee[grade])),
    }
    links = (Determines("word", ("fee", "grade")),)
    return Linked(*with_noise(chance, columns, grade * 1.0), links)


def wares() -> Linked:
    """Half of the combinations of ware and size exist; of shape, plug and finish every pair, but not every three."""
    chance = chance_of("wares")
    exists = np.array([(w, s) for w in range(6) for s in range(6) if (w * w + 2 * s + w * s) % 5 < 2])
    chosen = exists[chance.choice(len(exists), 3000)]
    three = np.array([(a, b, c) for a in range(4) for b in range(4) for c in range(4) if (a + b + c) % 4 < 2])
    of_three = three[chance.choice(len(three), 3000)]
    columns: dict[str, list[object]] = {
        "ware": list(texts("bowl cup dish jar pan pot", chosen[:, 0])),
        "size": list(texts("xs s m l xl xxl", chosen[:, 1])),
        "shape": list(texts("flat oval round square", of_three[:, 0])),
        "plug": list(texts("c e f g", of_three[:, 1])),
        "finish": list(texts("matt raw satin shiny", of_three[:, 2])),
    }
    links = (Combinations(("finish", "plug", "shape")), Combinations(("size", "ware")))
    return Linked(*with_noise(chance, columns, chosen[:, 0] + of_three[:, 1] * 1.0), links)


def stays() -> Linked:
    """Nobody leaves before arriving: two dates, the second sometimes unknown."""
    chance = chance_of("stays")
    came = chance.integers(0, 700, 1200)
    left = came + chance.geometric(0.06, 1200) - 1
    columns: dict[str, list[object]] = {"came": list(days(came)), "went": list(days(left))}
    columns["went"] = [
        day if known else None for day, known in zip(columns["went"], chance.random(1200) < 0.9, strict=True)
    ]
    return Linked(*with_noise(chance, columns, np.minimum(left - came, 40) * 1.0), (Order(("came", "went")),))


def rents() -> Linked:
    """Three numbers in order: the lowest, usual and highest rent of a flat."""
    chance = chance_of("rents")
    lowest = chance.gamma(4.0, 150.0, 1500)
    usual = lowest + chance.gamma(1.0, 90.0, 1500)
    highest = usual + chance.gamma(1.0, 140.0, 1500)
    columns: dict[str, list[object]] = {
        "highest": list(numbers(highest, 2)),
        "lowest": list(numbers(lowest, 2)),
        "usual": list(numbers(usual, 2)),
    }
    return Linked(*with_noise(chance, columns, usual), (Order(("lowest", "usual", "highest")),))


def wages() -> Linked:
    """Pay is the sum of three parts, and what is left of it after tax is a difference."""
    chance = chance_of("wages")
    basic, extra = np.round(chance.gamma(9.0, 260.0, 1800), 2), np.round(chance.gamma(1.5, 140.0, 1800), 2)
    bonus = np.where(chance.random(1800) < 0.4, np.round(chance.gamma(2.0, 300.0, 1800), 2), 0.0)
    pay = np.round(basic + extra + bonus, 2)
    tax = np.round(pay * chance.uniform(0.1, 0.4, 1800), 2)
    columns: dict[str, list[object]] = {
        "basic": list(numbers(basic, 2)),
        "bonus": list(numbers(bonus, 2)),
        "extra": list(numbers(extra, 2)),
        "net": list(numbers(pay - tax, 2)),
        "pay": list(numbers(pay, 2)),
        "tax": list(numbers(tax, 2)),
    }
    links = (Sum("pay", ("basic", "bonus", "extra")), Sum("pay", ("net", "tax")))
    return Linked(*with_noise(chance, columns, pay), links)


def cases() -> Linked:
    """The day of discharge is that of admission and the days in between; the order of the two follows from it."""
    chance = chance_of("cases")
    came, stay = chance.integers(0, 1000, 900), chance.geometric(0.08, 900) - 1
    columns: dict[str, list[object]] = {
        "admitted": list(days(came)),
        "days": list(numbers(stay * 1.0)),
        "discharged": list(days(came + stay)),
    }
    return Linked(
        *with_noise(chance, columns, np.minimum(stay, 30) * 1.0), (Sum("discharged", ("admitted", "days")),)
    )


def patients() -> Linked:
    """Only women are pregnant, and only smokers have a brand and a number of cigarettes; others have none."""
    chance = chance_of("patients")
    rows = 2200
    male = chance.random(rows) < 0.48
    pregnant = ~male & (chance.random(rows) < 0.14)
    smokes = chance.choice(3, rows, p=[0.5, 0.3, 0.2])
    brand, without = chance.integers(0, 4, rows), (smokes != 2) | (chance.random(rows) < 0.1)
    columns: dict[str, list[object]] = {
        "sex": list(texts("female male", male.astype(int))),
        "pregnant": list(texts("no yes", pregnant.astype(int))),
        "smoker": list(texts("never once now", smokes)),
        "brand": list(texts("ark elm ivy oak", brand, without)),
        "cigarettes": list(
            numbers(chance.gamma(2.0, 7.0, rows), 0, (smokes == 0) | (chance.random(rows) < 0.05))
        ),
    }
    links = (
        Condition("sex", ("male",), "pregnant", ("no",)),
        Condition("smoker", ("never",), "cigarettes", (None,)),
        Condition("smoker", ("never", "once"), "brand", (None,)),
    )
    return Linked(*with_noise(chance, columns, smokes + 2.0 * male), links)


def workers() -> Linked:
    """A branch occurs only in some sectors: what is dug is public or mixed, and nothing else follows."""
    chance = chance_of("workers")
    rows = 2600
    sector, branch = chance.choice(4, rows, p=[0.4, 0.3, 0.2, 0.1]), chance.integers(0, 5, rows)
    redrawn = chance.choice([0, 2, 3, 4], rows)
    branch = np.where((branch == 1) & (sector < 2), redrawn, branch)
    columns: dict[str, list[object]] = {
        "sector": list(texts("private single public mixed", sector)),
        "branch": list(texts("art coal food law trade", branch)),
    }
    links = (Condition("sector", ("private", "single"), "branch", ("art", "food", "law", "trade")),)
    return Linked(*with_noise(chance, columns, sector * 1.0 + branch), links)


def households() -> Linked:
    """Region, rooms and income are those of the household; age and sex are those of the person."""
    chance = chance_of("households")
    sizes = chance.integers(1, 6, 500)
    of = np.repeat(np.arange(500), sizes)
    region, rooms = chance.integers(0, 6, 500), chance.integers(1, 9, 500)
    income = np.round(chance.gamma(3.0, 900.0, 500))
    columns: dict[str, list[object]] = {
        "household": list(numbers(of + 1000.0)),
        "region": list(texts("east north south west centre coast", region[of])),
        "rooms": list(numbers(rooms[of] * 1.0)),
        "income": list(numbers(income[of])),
        "sex": list(texts("female male", chance.integers(0, 2, len(of)))),
    }
    links = (Constant("household", ("income", "region", "rooms")),)
    return Linked(*with_noise(chance, columns, income[of]), links, "household")


def claims() -> Linked:
    """Links of every kind in one table, as real tables have them."""
    chance = chance_of("claims")
    rows = 3000
    branch = chance.choice(24, rows, p=_falling(24))
    happened = chance.integers(0, 900, rows)
    reported = happened + chance.geometric(0.1, rows) - 1
    paid, fee = np.round(chance.gamma(2.0, 800.0, rows), 2), np.round(chance.gamma(2.0, 60.0, rows), 2)
    kind, closed = chance.integers(0, 4, rows), chance.random(rows) < 0.7
    open_only = ~closed | (chance.random(rows) < 0.02)
    columns: dict[str, list[object]] = {
        "branch": list(texts([f"branch {i:02}" for i in range(24)], branch)),
        "region": list(texts("east north south west", branch // 6)),
        "happened": list(days(happened)),
        "reported": list(days(reported)),
        "paid": list(numbers(paid, 2)),
        "fee": list(numbers(fee, 2)),
        "cost": list(numbers(paid + fee, 2)),
        "kind": list(texts("fire storm theft water", kind)),
        "state": list(texts("closed open", (~closed).astype(int))),
        "score": list(numbers(chance.normal(50, 9, rows), 0, open_only)),
    }
    links = (
        Determines("branch", ("region",)),
        Order(("happened", "reported")),
        Sum("cost", ("fee", "paid")),
        Condition("state", ("open",), "score", (None,)),
    )
    return Linked(*with_noise(chance, columns, paid + 300.0 * kind), links)


def _falling(count: int) -> Floats:
    """Shares that fall from the first to the last, which is a third of the first."""
    shares = np.linspace(3.0, 1.0, count)
    return np.asarray(shares / shares.sum())


LINKED_TABLES: dict[str, Callable[[], Linked]] = {
    made.__name__: made
    for made in (
        cities, areas, grades, wares, stays, rents, wages, cases, patients, workers, households, claims
    )
}  # fmt: skip
