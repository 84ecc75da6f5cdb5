from __future__ import annotations

from typing import Any

import pytest

from hushwood.techniques.registry import TECHNIQUES

PAPERS = {"RPT", "PPT", "ALPT", "LINFAPT", "LINNAPT", "RNAT", "CAPT", "RC", "SWAP"}


def test_the_techniques_of_the_papers_are_there() -> None:
    assert set(TECHNIQUES) >= PAPERS


@pytest.mark.parametrize("acronym", TECHNIQUES)
def test_each_is_made_without_arguments_and_knows_its_name(acronym: str) -> None:
    assert TECHNIQUES[acronym]().acronym == acronym


def test_of_the_papers_techniques_only_the_controls_let_records_leave() -> None:
    leaving = {acronym for acronym in PAPERS if not TECHNIQUES[acronym]().keeps_segment}
    assert leaving == {"RNAT", "RC"}


@pytest.mark.parametrize("acronym", [a for a, make in TECHNIQUES.items() if hasattr(make(), "within")])
def test_methods_that_know_no_segments_keep_them_when_told_to(acronym: str) -> None:
    made: Any = TECHNIQUES[acronym]
    assert not made().keeps_segment
    assert made(within="segment").keeps_segment
