"""Links counted from columns as they were read back."""

from __future__ import annotations

import numpy as np

from hushwood.releasing.certifying.compared import Compared, compared
from hushwood.releasing.certifying.link_checks import LinkChecks
from hushwood.tables.frames.storage import frame_from_table
from hushwood.tables.reading import read
from hushwood.techniques.laws.promises import COPIED, Promise
from support.hospital import LINKS, hospital

TABLE = read(hospital(200), target="back").table
PROMISES = dict.fromkeys(TABLE.schema.names, COPIED)


def read_back(**changed: np.ndarray) -> dict[str, Compared]:
    frame = frame_from_table(TABLE.with_columns(changed))
    described = {
        a.name: {"name": a.name, "kind": a.kind, "precision": a.precision, "values": a.categories}
        for a in TABLE.schema.kept
    }
    return {name: compared(frame, attribute) for name, attribute in described.items()}


def test_a_claim_that_does_not_hold_is_a_fault() -> None:
    checks = LinkChecks(TABLE.schema, LINKS, LINKS[3:], PROMISES)
    checks.add(TABLE, read_back())
    assert checks.faults() == ()
    dear, state = TABLE.columns["cost"] + 1.0, TABLE.columns["state"][::-1].copy()
    checks.add(TABLE, read_back(cost=dear, state=state))
    assert checks.faults() == (
        "the link 'cost = drugs + ward' is broken by 200 records as by none of the original",
    )
    said = {tuple(link["columns"]): link for link in checks.said()}
    assert said["city", "state"]["newly_broken"] > 100
    assert not said["city", "state"]["kept"]


def test_an_unknown_text_breaks_what_it_should() -> None:
    checks = LinkChecks(TABLE.schema, LINKS, LINKS, PROMISES)
    strange = Compared(np.full(200, len(TABLE.schema["state"].categories), np.int32), 0)
    checks.add(TABLE, read_back() | {"state": strange})
    assert checks.faults() == (
        "the link 'city determines state' is broken by 200 records as by none of the original",
    )


def test_groups_and_ranges_are_not_counted() -> None:
    coarse = PROMISES | dict.fromkeys(("city", "cost", "sex", "admitted"), Promise(values="generalised"))
    checks = LinkChecks(TABLE.schema, LINKS, (), coarse)
    checks.add(TABLE, read_back())
    assert {link["broken_after"] for link in checks.said()} == {None}
    assert [link["broken_before"] for link in checks.said()] == [0, 0, 0, 0]
