from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from hushwood.releasing.recipes import RECIPES
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


@pytest.mark.parametrize("acronym", TECHNIQUES)
def test_every_technique_is_in_the_docs_and_in_both_tables(acronym: str) -> None:
    page = (Path(__file__).parents[3] / "docs" / "techniques.md").read_text("utf-8")
    assert f"\n## {acronym}\n" in page
    assert f"| [{acronym}](#{acronym.lower()}) |" in page
    compared = page.split("## All techniques compared")[1].split("## Recipes")[0]
    assert any(acronym in line.split("|")[1] for line in compared.splitlines() if line.startswith("| "))


@pytest.mark.parametrize("recipe", RECIPES)
def test_every_recipe_is_in_the_docs(recipe: str) -> None:
    page = (Path(__file__).parents[3] / "docs" / "techniques.md").read_text("utf-8")
    assert f"| `{recipe}`" in page or recipe.upper() in TECHNIQUES
