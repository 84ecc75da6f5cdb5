"""Reads pages as the tests of reports ask about them: elements, headings, ids, and all that would be loaded."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable
from html.parser import HTMLParser

VOID = {"meta", "link", "br", "img", "input", "hr"}


class Reader(HTMLParser):
    """Collects what the tests ask about, and checks that every element is closed."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.ids: list[str] = []
        self.headings: list[int] = []
        self.tags: list[str] = []
        self.loads: list[str] = []
        self.text: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.tags.append(tag)
        self.ids.extend([given["id"] or ""] if "id" in given else [])
        self.loads.extend(value or "" for key, value in attrs if key in ("src", "href", "srcset", "data"))
        if re.fullmatch("h[1-6]", tag):
            self.headings.append(int(tag[1]))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] not in ("script", "style"):
            self.text.append(data)


def read(page: str) -> Reader:
    """The page as the parser finds it."""
    reader = Reader()
    reader.feed(page)
    reader.close()
    return reader


def own_part(page: str) -> str:
    """The page without the chart library, whose letters are not ours."""
    return re.sub(r"<script>.*?</script>", "", page, flags=re.DOTALL)


def check_page(page: str, sections: Iterable[str]) -> None:
    """Every element closed, every section there, headings in order, and nothing loaded from elsewhere."""
    reader = read(page)
    assert reader.open == []
    assert set(sections) <= set(reader.ids)
    assert len(reader.ids) == len(set(reader.ids))
    assert {"main", "nav", "header", "footer"} <= set(reader.tags)
    assert reader.headings.count(1) == 1
    assert all(after <= before + 1 for before, after in itertools.pairwise(reader.headings))
    assert all(load.startswith(("#", "data:")) for load in reader.loads)
    assert "@import" not in own_part(page)
    assert "url(" not in own_part(page)
    assert set(re.findall(r"https?://[^\s\"'<]+", own_part(page))) <= {"http://www.w3.org/2000/svg"}
