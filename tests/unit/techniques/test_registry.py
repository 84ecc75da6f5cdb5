from __future__ import annotations

import pytest

from hushwood.techniques.registry import TECHNIQUES


def test_the_techniques_of_the_papers_are_there() -> None:
    assert {"RPT", "PPT", "ALPT", "LINFAPT", "LINNAPT", "RNAT", "CAPT", "RC", "SWAP"} <= set(TECHNIQUES)


@pytest.mark.parametrize("acronym", TECHNIQUES)
def test_each_is_made_without_arguments_and_knows_its_name(acronym: str) -> None:
    assert TECHNIQUES[acronym]().acronym == acronym


def test_only_the_controls_let_records_leave() -> None:
    leaving = {acronym for acronym, make in TECHNIQUES.items() if not make().keeps_segment}
    assert leaving == {"RNAT", "RC"}
