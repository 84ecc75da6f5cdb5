"""The papers page claims what is there and no more, and the scope page names the rest.

`docs/described.toml` lists what the papers describe. Every item has a file that papers.md links to, or a line of
scope.md in the same chapter; no row of either page stands for nothing.
"""

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

import hushwood as hw
from hushwood.trees.options import Variant
from hushwood.value_clusters.registry import VALUE_CLUSTERS
from hushwood_papers.registry import EXPERIMENTS

DOCS = Path(__file__).parents[2] / "docs"
PAGE, SCOPE = ((DOCS / name).read_text(encoding="utf-8") for name in ("papers.md", "scope.md"))
DESCRIBED: dict[str, dict[str, str]] = tomllib.loads((DOCS / "described.toml").read_text(encoding="utf-8"))
OUT = "scope"
NAMES = [
    *hw.techniques(),
    *hw.measures(),
    *hw.attacks(),
    *EXPERIMENTS,
    *get_args(Variant),
    *VALUE_CLUSTERS,
]


def rows(page: str) -> Iterator[tuple[str, list[str]]]:
    """The rows of all tables, without their heads: the heading above each, and its cells."""
    heading, inside = "", False
    for line in page.splitlines():
        if line.startswith("## "):
            heading = line.removeprefix("## ")
        if not line.startswith("|"):
            inside = False
        elif inside:
            yield heading, [cell.strip() for cell in line.strip("|").split(" | ")]
        elif set(line) <= set("|-: "):
            inside = True


def links(text: str) -> list[str]:
    """Where the links of a text lead, without their anchors."""
    return re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", text)


def in_code(rows_of: str, cell: int) -> set[str]:
    """The words in code marks in one cell of a section's rows."""
    found = (cells[cell] for heading, cells in rows(PAGE) if heading == rows_of)
    return {name for text in found for name in re.findall(r"`([^`]+)`", text)}


def test_everything_is_named() -> None:
    words = set(re.findall(r"[\w-]+", PAGE.casefold()))
    assert [name for name in NAMES if name not in words] == []


def test_links_lead_to_files() -> None:
    found = sorted({*links(PAGE), *links(SCOPE)})
    assert [link for link in found if not link.startswith("http") and not (DOCS / link).exists()] == []


def test_every_row_of_the_papers_page_names_a_file_of_code() -> None:
    code = [
        (heading, cells[0], [link for link in links(" ".join(cells)) if "/src/" in link])
        for heading, cells in rows(PAGE)
    ]
    assert len(code) > 50
    assert [(heading, first) for heading, first, found in code if not found] == []


def test_names_of_the_papers_page_can_be_used() -> None:
    assert in_code("Techniques", 3) | in_code("Frameworks", 0) <= set(hw.techniques())
    assert in_code("Measures", 0) <= set(hw.measures())
    assert in_code("Attacks", 0) <= set(hw.attacks())
    assert in_code("Experiments", 0) <= set(EXPERIMENTS)


def test_everything_described_has_a_file_or_a_scope_line() -> None:
    linked = {(DOCS / link).resolve() for link in links(PAGE)}
    out = {(heading, cells[0]) for heading, cells in rows(SCOPE)}
    lost = [
        (chapter, item, where)
        for chapter, items in DESCRIBED.items()
        for item, where in items.items()
        if ((chapter, item) not in out if where == OUT else (DOCS.parent / where).resolve() not in linked)
    ]
    assert lost == []


def test_every_scope_line_is_about_something_described() -> None:
    listed = {
        (chapter, item)
        for chapter, items in DESCRIBED.items()
        for item, where in items.items()
        if where == OUT
    }
    assert [row for row in ((heading, cells[0]) for heading, cells in rows(SCOPE)) if row not in listed] == []


def test_every_scope_line_says_why_and_where_to_go() -> None:
    assert [
        cells for _, cells in rows(SCOPE) if len(cells) != 3 or not all(len(cell) > 5 for cell in cells)
    ] == []


def test_every_printed_row_of_the_papers_page_is_described() -> None:
    """A row that says where it is printed names a file that the list knows."""
    listed = {(DOCS.parent / where).resolve() for items in DESCRIBED.values() for where in items.values()}
    unknown = [
        cells[0]
        for _, cells in rows(PAGE)
        if len(cells) > 2 and not re.match(r"ours|not in them", cells[1])
        if not any((DOCS / link).resolve() in listed for link in links(" ".join(cells)))
    ]
    assert unknown == []
