"""The whole site is built once, strictly: Zensical checks every link and heading of every page that is made."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from website.__main__ import ROOT, build

pytest.importorskip("zensical")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("website")
    build(ROOT, folder, folder / "made")
    return folder / "made"


def test_pages_are_there_and_know_each_other(site: Path) -> None:
    start = (site / "start.html").read_text("utf-8")
    assert 'href="guides/read-the-report.html"' in start
    assert (site / "how" / "techniques" / "segment-shuffle.html").is_file()
    assert (site / "api" / "functions.html").is_file()


def test_lists_and_tables_are_drawn_as_such(site: Path) -> None:
    index = (site / "index.html").read_text("utf-8")
    article = index[index.index("<article") : index.index("</article")]
    assert article.count("<li>") > 30
    assert "- [" not in article


def test_nothing_is_loaded_from_elsewhere(site: Path) -> None:
    for page in site.rglob("*.html"):
        loaded = re.findall(
            r'<(?:script|link|img|iframe)[^>]+(?:src|href)="(https?:)?//', page.read_text("utf-8")
        )
        assert loaded == [], page
