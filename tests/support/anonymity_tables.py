"""Tables with quasi-identifiers and sensitive attributes: random ones, and those that the papers print."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from hypothesis import strategies as st

from hushwood.tables.table import Table
from support.mixed_tables import category, mixed_table, number, table_of, target

QUASI = ("count", "city", "job")
DISEASES = ("cancer", "heart disease", "viral infection")


def with_roles(table: Table, quasi: Sequence[str] = QUASI, confidential: Sequence[str] = ()) -> Table:
    """The same table with some columns declared."""
    schema = table.schema.with_role(quasi, "quasi-identifier").with_role(confidential, "confidential")
    return replace(table, schema=schema)


def random_people(seed: int, rows: int, confidential: Sequence[str] = ()) -> Table:
    """A mixed table whose count, city and job are quasi-identifiers."""
    return with_roles(mixed_table(seed, rows), QUASI, confidential)


@st.composite
def rearranged_people(draw: st.DrawFn, confidential: Sequence[str] = ()) -> tuple[Table, Table]:
    """Thirty random people, and the same in another order with their numbers shifted, scaled or negated."""
    table = random_people(draw(st.integers(0, 20)), 30, confidential)
    scale = draw(st.sampled_from([-4.0, 0.5, 1.0]))
    moved = {name: table.columns[name] * scale for name in ("count", "price")}
    moved["count"] = moved["count"] + draw(st.integers(-64, 64))
    return table, table.with_columns(moved).take(np.array(draw(st.permutations(range(30)))))


def nobody() -> Table:
    """A table of the same form without records."""
    return random_people(0, 5).take(np.zeros(0, np.int64))


def patients(groups: Sequence[Sequence[str]]) -> Table:
    """Patients in groups that share their postal code; the disease is the class."""
    zips = [float(i) for i, group in enumerate(groups) for _ in group]
    diseases = [DISEASES.index(disease) for group in groups for disease in group]
    table = table_of(
        {
            "zip": (number("zip", 0, len(groups)), zips),
            "disease": (target("disease", DISEASES), diseases),
        }
    )
    return with_roles(table, ["zip"])


def salaries(groups: Sequence[Sequence[float]]) -> Table:
    """Employees in groups that share their postal code; the salary is confidential."""
    zips = [i for i, group in enumerate(groups) for _ in group]
    paid = [salary for group in groups for salary in group]
    table = table_of(
        {
            "zip": (category("zip", [f"z{i}" for i in range(len(groups))]), zips),
            "salary": (number("salary", min(paid), max(paid)), paid),
            "ill": (target("ill", ("no", "yes")), [0] * len(zips)),
        }
    )
    return with_roles(table, ["zip"], ["salary"])
