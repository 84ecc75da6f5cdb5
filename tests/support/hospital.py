"""A generated extract of a hospital's records, with the links that such tables have."""

from __future__ import annotations

import numpy as np
import polars as pl

from hushwood.tables.links.links import Condition, Determines, Link, Order, Sum
from support.linked_tables import chance_of, days, numbers, texts

LINKS: tuple[Link, ...] = (
    Condition("sex", ("male",), "pregnant", ("no",)),
    Determines("city", ("state",)),
    Order(("admitted", "discharged")),
    Sum("cost", ("drugs", "ward")),
)


def hospital(rows: int = 2000) -> pl.DataFrame:
    """City and state, two dates, sex and pregnancy, costs and their sum, and whether somebody came back."""
    chance = chance_of("hospital")
    city = chance.integers(0, 24, rows)
    male = chance.random(rows) < 0.5
    age = np.clip(chance.normal(52, 18, rows), 18, 95)
    pregnant = ~male & (age < 45) & (chance.random(rows) < 0.25)
    came, stay = chance.integers(0, 700, rows), chance.geometric(0.12, rows)
    drugs = np.round(chance.gamma(2.0, 120.0, rows), 2)
    ward = np.round(stay * 210.0 + chance.gamma(2.0, 60.0, rows), 2)
    again = (age - 52) / 18 + (stay - 8) / 8 + chance.normal(0, 0.8, rows) > 0.3
    return pl.DataFrame(
        {
            "age": numbers(age),
            "sex": texts("female male", male.astype(int)),
            "pregnant": texts("no yes", pregnant.astype(int)),
            "city": texts([f"city {i:02}" for i in range(24)], city),
            "state": texts("north east south west", city // 6),
            "admitted": days(came),
            "discharged": days(came + stay),
            "drugs": numbers(drugs, 2),
            "ward": numbers(ward, 2),
            "cost": numbers(drugs + ward, 2),
            "back": texts("no yes", again.astype(int)),
        }
    )
