from __future__ import annotations

import pytest
from frontier.contenders import BY_NAME, CONTENDERS, DIAL, FAMILIES, OURS, Contender, shuffled
from frontier.summary import CART, PAIRED_AT_EQUAL_RISK, RIVALS


def test_names_are_different() -> None:
    assert len(BY_NAME) == len(CONTENDERS)
    assert {contender.family for contender in CONTENDERS} == set(FAMILIES)


def test_all_that_is_spoken_of_is_compared() -> None:
    dial = {shuffled(k, teacher).name for k in DIAL for teacher in ("ensemble", "tree")}
    assert {OURS, CART, *RIVALS, *PAIRED_AT_EQUAL_RISK, *dial} <= set(BY_NAME)


def test_what_cannot_run_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("HUSHWOOD_ARFPY", raising=False)
    assert Contender("x", "papers", "no-such-recipe").missing() == "there is no recipe 'no-such-recipe'"
    unknown = Contender("x", "papers", "framework", {"noise": 0.1, "colour": 3})
    assert unknown.missing() == "there is no option 'colour'"
    assert BY_NAME["arfpy"].missing() == "HUSHWOOD_ARFPY does not name an interpreter that has it"
    assert BY_NAME["framework"].missing() == BY_NAME["noise"].missing() == ""
