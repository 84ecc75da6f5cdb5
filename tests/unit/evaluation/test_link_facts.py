"""Links counted in any two tables, batch by batch."""

from __future__ import annotations

import numpy as np

from hushwood.evaluation.link_facts import LinkTally
from hushwood.evaluation.plain_data import from_plain, to_plain
from hushwood.tables.links.links import Order
from hushwood.tables.reading import read
from support.hospital import LINKS, hospital

TABLE = read(hospital(300), target="back").table
WORSE = TABLE.with_columns(
    {"discharged": TABLE.columns["discharged"] - 10.0, "state": TABLE.columns["state"][::-1].copy()}
)


def test_batches_count_like_the_whole() -> None:
    whole, parts = LinkTally(LINKS, LINKS[:1]), LinkTally(LINKS, LINKS[:1])
    whole.add(TABLE, WORSE)
    for rows in np.array_split(np.arange(300), 4):
        parts.add(TABLE.take(rows), WORSE.take(rows))
    assert whole.facts() == parts.facts()
    facts = {fact.columns: fact for fact in whole.facts()}
    early = int((WORSE.columns["discharged"] < TABLE.columns["admitted"]).sum())
    found = facts["admitted", "discharged"]
    assert (found.broken_before, found.broken_after, found.newly_broken, found.kept) == (
        0,
        early,
        early,
        False,
    )
    assert facts["sex", "pregnant"].kept
    assert facts["city", "state"].broken_after == facts["city", "state"].newly_broken
    for fact in whole.facts():
        assert from_plain(type(fact), to_plain(fact)) == fact


def test_coarse_columns_are_not_counted() -> None:
    tally = LinkTally((Order(("admitted", "discharged")),))
    tally.add(TABLE, WORSE, {"admitted"})
    (fact,) = tally.facts()
    assert (fact.broken_before, fact.broken_after, fact.newly_broken, fact.kept) == (0, None, None, None)


def test_nothing_to_count() -> None:
    assert LinkTally(()).facts() == ()
