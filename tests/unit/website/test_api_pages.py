from __future__ import annotations

import inspect

import pytest

import hushwood as hw
from website.api_pages import api_pages


@pytest.fixture(scope="module")
def pages() -> dict[str, str]:
    return api_pages()


def test_every_public_function_is_described(pages: dict[str, str]) -> None:
    for name in hw.__all__:
        if name[0].islower():
            assert f"\n## {name}\n" in pages["api/functions.md"], name


def test_every_keyword_of_release_is_in_the_table_with_its_meaning(pages: dict[str, str]) -> None:
    part = pages["api/functions.md"].partition("\n## release\n")[2].partition("\n## ")[0]
    for name in inspect.signature(hw.release).parameters:
        line = next(line for line in part.splitlines() if line.startswith(f"| `{name}` |"))
        assert len(line.split(" | ")[-1].strip(" |")) > 10, line


def test_calls_with_few_keywords_show_them(pages: dict[str, str]) -> None:
    assert "hw.accept(folder, reason=…, by=…, ledger=…)" in pages["api/functions.md"]
    assert "hw.release(table, …)" in pages["api/functions.md"]


def test_results_have_their_properties(pages: dict[str, str]) -> None:
    assert (
        "| `cleared` | Whether the policy clears the release to be handed out. |" in pages["api/results.md"]
    )
    assert "| `to_html()` |" in pages["api/results.md"]
    assert "\n## C45Classifier\n" in pages["api/estimators.md"]
