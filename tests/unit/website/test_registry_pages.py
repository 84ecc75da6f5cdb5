from __future__ import annotations

import inspect
from pathlib import Path

import pytest

import hushwood as hw
from hushwood.attacks.registry import ATTACKS
from hushwood.measures.registry import MEASURES
from hushwood.techniques.registry import TECHNIQUES
from website.api_pages import api_pages
from website.registry_pages import registry_pages

DOCS = Path(__file__).parents[3] / "docs"


@pytest.fixture(scope="module")
def pages() -> dict[str, str]:
    return registry_pages(DOCS)


def test_everything_registered_has_its_page(pages: dict[str, str]) -> None:
    expected = {
        f"how/{folder}/{name.lower()}.md"
        for folder, registered in (("techniques", TECHNIQUES), ("measures", MEASURES), ("attacks", ATTACKS))
        for name in [*registered, "index"]
    }
    assert set(pages) == expected


def test_every_page_has_the_section_that_people_wrote(pages: dict[str, str]) -> None:
    without = [
        place
        for place, text in pages.items()
        if not place.endswith("index.md") and "## In detail" not in text
    ]
    assert without == []


def test_a_technique_speaks_for_itself(pages: dict[str, str]) -> None:
    page = pages["how/techniques/rpt.md"]
    assert TECHNIQUES["RPT"]().says() in page
    assert TECHNIQUES["RPT"]().trust in page
    assert "`forest-framework`" in page
    assert "[its source](../src/hushwood/techniques/class_permutations.py)" in page


def test_parameters_have_their_limits(pages: dict[str, str]) -> None:
    assert "| `k` | 50 | 2 or more |" in pages["how/techniques/segment-shuffle.md"]
    assert (
        "| `teacher` | ensemble | ensemble, boosting, tree, none |"
        in pages["how/techniques/segment-shuffle.md"]
    )


def test_every_parameter_says_what_is_allowed(pages: dict[str, str]) -> None:
    for place, text in pages.items():
        assert not [line for line in text.splitlines() if line.startswith("| `") and line.endswith("|  |")], (
            place
        )


def test_the_overview_names_all(pages: dict[str, str]) -> None:
    for name, make in MEASURES.items():
        assert f"[{name}](how/measures/{name}.md)" in pages["how/measures/index.md"]
        assert make().question in pages["how/measures/index.md"]


@pytest.fixture(scope="module")
def pages_api_pages() -> dict[str, str]:
    return api_pages()


def test_every_public_function_is_described(pages_api_pages: dict[str, str]) -> None:
    for name in hw.__all__:
        if name[0].islower():
            assert f"\n## {name}\n" in pages_api_pages["api/functions.md"], name


def test_every_keyword_of_release_is_in_the_table_with_its_meaning(pages_api_pages: dict[str, str]) -> None:
    part = pages_api_pages["api/functions.md"].partition("\n## release\n")[2].partition("\n## ")[0]
    for name in inspect.signature(hw.release).parameters:
        line = next(line for line in part.splitlines() if line.startswith(f"| `{name}` |"))
        assert len(line.split(" | ")[-1].strip(" |")) > 10, line


def test_calls_with_few_keywords_show_them(pages_api_pages: dict[str, str]) -> None:
    assert "hw.accept(folder, reason=…, by=…, ledger=…)" in pages_api_pages["api/functions.md"]
    assert "hw.release(table, …)" in pages_api_pages["api/functions.md"]


def test_results_have_their_properties(pages_api_pages: dict[str, str]) -> None:
    assert (
        "| `cleared` | Whether the policy clears the release to be handed out. |"
        in pages_api_pages["api/results.md"]
    )
    assert "| `to_html()` |" in pages_api_pages["api/results.md"]
    assert "\n## C45Classifier\n" in pages_api_pages["api/estimators.md"]
