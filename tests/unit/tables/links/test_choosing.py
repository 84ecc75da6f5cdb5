"""Which links are kept: found in a sample and in all records, or declared."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from hushwood.errors import InputError
from hushwood.tables.links.finding import ChosenLinks, Wanted, chosen_links
from hushwood.tables.links.links import Condition, Determines, Link, Order, Sum
from hushwood.tables.reading import read
from hushwood.tables.recoding.preparation import CoarseColumns
from hushwood.tables.recoding.rules import parsed_rules
from hushwood.tables.table import Table
from support.hospital import LINKS, hospital

TABLE = read(hospital(2000), target="back").table
MALE = Condition("sex", ("male",), "pregnant", ("no",))


def chosen(
    wanted: Wanted, *declared: Link, table: Table = TABLE, loose: tuple[Link, ...] = ()
) -> ChosenLinks:
    return chosen_links(
        wanted, replace(table.schema, links=declared, unlinked=loose), table, lambda _: [table]
    )


def test_found_and_declared_links_are_kept_once() -> None:
    assert set(chosen("auto").links) == set(LINKS)
    assert chosen("auto", Determines("city", ("state",)), Sum("cost", ("ward", "drugs"))).links == (
        Determines("city", ("state",)),
        Sum("cost", ("ward", "drugs")),
        MALE,
        Order(("admitted", "discharged")),
    )


def test_only_what_is_wanted() -> None:
    assert chosen("declared", MALE).links == (MALE,)
    assert chosen("declared").links == ()
    assert chosen("none", MALE) == ChosenLinks()
    assert set(chosen("auto", loose=(MALE,)).links) == set(LINKS) - {MALE}


def test_what_holds_in_the_sample_alone_is_no_link() -> None:
    sample = TABLE.take(np.arange(1900))
    wrong = {"discharged": TABLE.columns["admitted"] - 1.0}
    found = chosen_links("auto", TABLE.schema, sample, lambda _: [sample, TABLE.with_columns(wrong)])
    assert set(found.links) == set(LINKS) - {Order(("admitted", "discharged"))}


def test_a_declared_link_that_some_records_break_is_kept_and_named() -> None:
    columns = {"cost": TABLE.columns["cost"] + (np.arange(TABLE.rows) % 100 == 0)}
    table = TABLE.with_columns(columns)
    found = chosen("declared", Sum("cost", ("drugs", "ward")), table=table)
    assert found.links == (Sum("cost", ("drugs", "ward")),)
    (note,) = found.notes
    assert note.startswith("The declared link 'cost = drugs + ward' does not hold in 20 of 2,000 records")


def test_a_declared_link_that_most_records_break_is_a_mistake() -> None:
    with pytest.raises(InputError, match="'discharged <= admitted' does not hold in 2,000 of 2,000 records"):
        chosen("auto", Order(("discharged", "admitted")))


def test_a_declared_link_about_values_that_coarsening_took_is_dropped_and_named() -> None:
    coarse = CoarseColumns.of(parsed_rules(["sex=1letter"]), TABLE).on_table(TABLE)
    found = chosen_links("declared", replace(TABLE.schema, links=(MALE,)), coarse, lambda _: [coarse])
    assert found.links == ()
    (note,) = found.notes
    assert note.endswith("is not kept: its columns were coarsened.")
