"""Every link of every page leads somewhere, and every page of docs/ is in the navigation of the site."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from website.assembly import written_pages
from website.markdown_pages import broken_links, links
from website.navigation import left_out, named_pages

ROOT = Path(__file__).parents[2]
PAGES = sorted(
    path
    for pattern in ("*.md", "docs/**/*.md", "papers/*.md", "benchmarks/**/*.md")
    for path in ROOT.glob(pattern)
)
CONFIG = (ROOT / "mkdocs.yml").read_text("utf-8")
# The build makes these.
MADE = ("how/", "api/")


def test_the_pages_are_found() -> None:
    assert len(PAGES) > 35
    assert sum(len(list(links(page.read_text("utf-8")))) for page in PAGES) > 400


def test_nothing_says_to_install_what_is_not_published() -> None:
    """`pip install hushwood` finds nothing, or a stranger's package."""
    texts = [*PAGES, *ROOT.glob("src/**/*.py"), *ROOT.glob("src/**/*.j2"), *ROOT.glob("examples/**/*")]
    wrong = re.compile(r"pip install (-\S+ )*['\"]?hushwood")
    assert [path.name for path in texts if path.is_file() and wrong.search(path.read_text("utf-8"))] == []


def test_the_first_page_begins_with_what_works_without_make() -> None:
    first = (ROOT / "README.md").read_text("utf-8").split("```")
    assert first[0].split("\n\n")[1].startswith("Without `make`: download")
    assert first[1].split("\n")[1:-1] == [
        "python3 -m venv .venv",
        ".venv/bin/pip install '.[web]'",
        ".venv/bin/hushwood web",
    ]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_links_lead_to_files_and_headings_that_exist(page: Path) -> None:
    assert list(broken_links(page, ROOT)) == []


def test_every_page_is_in_the_navigation() -> None:
    assert left_out(CONFIG, list(written_pages(ROOT))) == []


def test_the_navigation_names_each_page_once_and_only_pages_that_exist() -> None:
    named, known = named_pages(CONFIG), written_pages(ROOT)
    assert len(set(named)) == len(named)
    assert [page for page in named if not page.startswith(MADE) and page not in known] == []
