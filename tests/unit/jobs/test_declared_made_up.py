"""Tables of other tools whose records are declared to stand for no one: good ones are cleared, copies are not."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import hushwood as hw
from hushwood.attacks.judging.running import MADE_UP
from hushwood.demo.synthetic_tables import customer_status
from hushwood.errors import InputError
from hushwood.policies.policy import policy_named
from hushwood.tables.table import Table
from support.verdicts import policy_of

PEOPLE = 1_500


def drawn(which: str) -> Table:
    """People of one distribution: as a perfect synthesis, or as people who were never in the table."""
    return customer_status(PEOPLE, which * 64)


def shuffled(table: Table) -> Table:
    return table.take(np.random.default_rng(1).permutation(table.rows))


def judged(released: Table, **options: Any) -> dict[str, tuple[str, str]]:
    found = hw.audit(drawn("1"), released, holdout=drawn("3"), evidence="quick", made_up=True, **options)
    assert found.verdict is not None
    checks = {check.name: (check.status, check.reason) for check in found.verdict.checks}
    return {"all": (found.verdict.status, ""), **checks}


def test_a_good_synthesis_of_another_tool_is_cleared() -> None:
    found = judged(drawn("2"), policy="research")
    assert found["linkage.excess"] == found["outlier_linkage.excess"] == ("pass", MADE_UP)
    assert found["all"][0] == "cleared"


def test_the_table_itself_declared_made_up_is_not() -> None:
    found = judged(shuffled(drawn("1")), policy="research")
    assert found["all"][0] == "not cleared"
    assert found["singling_out.excess"][0] == found["membership.advantage"][0] == "fail"


def test_a_policy_about_linkage_alone_asks_for_singling_out_instead() -> None:
    policy = policy_of(linkage__excess=0.09, outlier_linkage__excess=0.2)
    copied, good = (judged(table, policy=policy) for table in (shuffled(drawn("1")), drawn("2")))
    assert copied["linkage.excess"] == good["linkage.excess"] == ("pass", MADE_UP)
    assert (copied["singling_out.excess"][0], copied["all"][0]) == ("fail", "not cleared")
    assert (good["singling_out.excess"][0], good["all"][0]) == ("pass", "cleared")
    assert policy.for_made_up().requirements[-1].at_most == 0.09
    for name in ("public", "wp29"):
        assert policy_named(name).for_made_up() == policy_named(name)


def test_nothing_is_cleared_without_people_who_were_never_in_the_table() -> None:
    found = hw.audit(drawn("1"), drawn("2"), evidence="quick", made_up=True, policy="research")
    assert found.verdict is not None
    assert found.verdict.status == "not proven"


def test_what_contradicts_it_is_refused() -> None:
    with pytest.raises(InputError, match="stand for no one, so they cannot be matched by 'rows'"):
        hw.audit(drawn("1"), drawn("2"), made_up=True, match="rows")
    done = hw.release(drawn("1"), redraw=0, evidence="none", seed="7" * 64)
    with pytest.raises(InputError, match="Every record of this release stands for one of the original"):
        hw.audit(drawn("1"), done, made_up=True, only=["linkage"])
