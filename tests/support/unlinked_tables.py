"""Tables in which nothing is linked, although it nearly looks as if: no link may be found in them."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import polars as pl

from support.linked_tables import Linked, chance_of, days, numbers, texts, with_noise


def one_wrong_city() -> Linked:
    """The city determines the state, except in one record of 2,000."""
    chance = chance_of("one wrong city")
    city = chance.integers(0, 40, 2000)
    state = city // 5
    state[7] = (state[7] + 1) % 8
    columns: dict[str, list[object]] = {
        "city": list(texts([f"city {i:02}" for i in range(40)], city)),
        "state": list(texts([f"state {i}" for i in range(8)], state)),
    }
    return Linked(*with_noise(chance, columns, state * 1.0), ())


def one_wrong_order() -> Linked:
    """Nobody leaves before arriving, except one; and a sum that is wrong once."""
    chance = chance_of("one wrong order")
    came = chance.integers(0, 500, 1000)
    went = came + chance.geometric(0.1, 1000)
    went[3] = came[3] - 1
    net, tax = np.round(chance.gamma(3.0, 500.0, 1000)), np.round(chance.gamma(2.0, 300.0, 1000))
    pay = net + tax
    pay[5] += 1
    columns: dict[str, list[object]] = {
        "came": list(days(came)),
        "went": list(days(went)),
        "net": list(numbers(net)),
        "tax": list(numbers(tax)),
        "pay": list(numbers(pay)),
    }
    return Linked(*with_noise(chance, columns, net), ())


def pregnant_men() -> Linked:
    """Two men are entered as pregnant, and two who never smoked have cigarettes."""
    chance = chance_of("pregnant men")
    male, smokes = chance.random(2000) < 0.5, chance.integers(0, 3, 2000)
    pregnant = ~male & (chance.random(2000) < 0.1)
    pregnant[np.flatnonzero(male)[:2]] = True
    unknown = smokes == 0
    unknown[np.flatnonzero(unknown)[:2]] = False
    columns: dict[str, list[object]] = {
        "sex": list(texts("female male", male.astype(int))),
        "pregnant": list(texts("no yes", pregnant.astype(int))),
        "smoker": list(texts("never once now", smokes)),
        "cigarettes": list(numbers(chance.gamma(2.0, 7.0, 2000), 0, unknown)),
    }
    return Linked(*with_noise(chance, columns, smokes * 1.0), ())


def rare_flags() -> Linked:
    """A flag that three of 3,000 records have, a column with one value, and texts that hardly repeat."""
    chance = chance_of("rare flags")
    flag = np.zeros(3000, int)
    city = chance.integers(0, 30, 3000)
    flag[np.flatnonzero(city == 4)[:3]] = 1
    columns: dict[str, list[object]] = {
        "city": list(texts([f"city {i:02}" for i in range(30)], city)),
        "flag": list(texts("no yes", flag)),
        "same": ["x"] * 3000,
        "note": [f"note {i}" for i in chance.integers(0, 2400, 3000)],
    }
    return Linked(*with_noise(chance, columns, city * 1.0), ())


def other_sizes() -> Linked:
    """An income above any age, a length above any width, and as many children as years at most: no orders."""
    chance = chance_of("other sizes")
    width = chance.normal(30, 3, 1500)
    columns: dict[str, list[object]] = {
        "income": list(numbers(20_000 + chance.gamma(3.0, 9000.0, 1500))),
        "width": list(numbers(width, 1)),
        "length": list(numbers(width + 25 + chance.normal(0, 2, 1500), 1)),
        "children": list(numbers(chance.poisson(1.4, 1500) * 1.0)),
        "gain": list(numbers(np.where(chance.random(1500) < 0.05, chance.gamma(2.0, 4000.0, 1500), 0.0))),
    }
    return Linked(*with_noise(chance, columns, width), ())


def habits() -> Linked:
    """Trades that hardly any woman or man has: some combinations never occur, and that is no rule."""
    chance = chance_of("habits")
    sex = chance.integers(0, 2, 3000)
    shares = np.array([[0.24, 0.2, 0.2, 0.2, 0.157, 0.003], [0.2, 0.24, 0.2, 0.31, 0.02, 0.03]])
    trade = (chance.random(3000)[:, None] > np.cumsum(shares, axis=1)[sex]).sum(axis=1)
    columns: dict[str, list[object]] = {
        "sex": list(texts("female male", sex)),
        "trade": list(texts("clerk cook farmer nurse smith tailor", np.minimum(trade, 5))),
    }
    return Linked(*with_noise(chance, columns, trade * 1.0), ())


def short() -> Linked:
    """Forty records, in which much happens to hold."""
    chance = chance_of("short")
    columns: dict[str, list[object]] = {
        "a": list(texts("u v w", chance.integers(0, 3, 40))),
        "b": list(texts("x y", chance.integers(0, 2, 40))),
        "c": list(numbers(chance.integers(0, 3, 40) * 1.0)),
    }
    return Linked(*with_noise(chance, columns, chance.normal(size=40)), ())


def class_depends() -> Linked:
    """The class never occurs in some cities: a rule for trees, and no link."""
    chance = chance_of("class depends")
    city = chance.integers(0, 20, 800)
    low = (city > 9) & (chance.random(800) < 0.7)
    frame = pl.DataFrame(
        {
            "city": texts([f"city {i:02}" for i in range(20)], city),
            "score": numbers(chance.normal(50, 9, 800)),
            "outcome": texts("low high", low.astype(int)),
        }
    )
    return Linked(frame, "outcome", ())


UNLINKED_TABLES: dict[str, Callable[[], Linked]] = {
    made.__name__: made
    for made in (
        one_wrong_city,
        one_wrong_order,
        pregnant_men,
        rare_flags,
        other_sizes,
        habits,
        short,
        class_depends,
    )
}
