"""Markdown as far as the site needs it: links, headings, their anchors, and sections of a page."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

# A link or a picture: its text, then its target and perhaps a title.
_LINK = re.compile(r"(!?\[(?:[^\[\]]|\[[^\]]*\]|!\[[^\]]*\]\([^)]*\))*\]\()([^()\s]+)((?:\s+\"[^\"]*\")?\))")
_FENCE = re.compile(r"^\s*(```+|~~~+)")
_HEADING = re.compile(r"^(#{1,6})\s+(.*?)\s*#*$")
_CODE = re.compile(r"(`+)(?:.+?)\1")
_OUTSIDE = re.compile(r"^(?:[a-z][a-z+.-]*:|//)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Link:
    """A link of a page: the line it stands in, and where it leads."""

    line: int
    target: str

    @property
    def outside(self) -> bool:
        """Whether it leads to the network."""
        return bool(_OUTSIDE.match(self.target))


def prose(text: str) -> Iterator[tuple[int, str]]:
    """The lines that are not code, by their numbers."""
    fence = ""
    for number, line in enumerate(text.splitlines(), 1):
        found = _FENCE.match(line)
        if found and not fence:
            fence = found[1]
        elif found and found[1].startswith(fence):
            fence = ""
        elif not fence:
            yield number, line


def _without_code(text: str) -> str:
    """The text with a blank in the place of every sign of code; nothing else moves."""
    free = dict(prose(text))
    lines = text.splitlines(keepends=True)
    for number, line in enumerate(lines, 1):
        if number in free:
            lines[number - 1] = _CODE.sub(lambda code: " " * len(code[0]), line)
        else:
            lines[number - 1] = re.sub(r"[^\n]", " ", line)
    return "".join(lines)


def _targets(text: str) -> Iterator[re.Match[str]]:
    return _LINK.finditer(_without_code(text))


def links(text: str) -> Iterator[Link]:
    """All links and pictures of a page; those in code are examples."""
    for found in _targets(text):
        yield Link(text.count("\n", 0, found.start(2)) + 1, found[2])


def with_links(text: str, changed: Callable[[str], str]) -> str:
    """The page with other targets of its links."""
    parts, end = [], 0
    for found in _targets(text):
        parts += [text[end : found.start(2)], changed(found[2])]
        end = found.end(2)
    return "".join([*parts, text[end:]])


def headings(text: str) -> Iterator[tuple[int, int, str]]:
    """Line, level and text of every heading."""
    for number, line in prose(text):
        if found := _HEADING.match(line):
            yield number, len(found[1]), found[2]


def anchor(heading: str) -> str:
    """The anchor that a heading gets.

    >>> anchor("What `k` does: [a link](x.md), and *why*")
    'what-k-does-a-link-and-why'
    """
    plain = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", heading)
    plain = re.sub(r"(?<!\w)[*_]+|[*_]+(?!\w)|`", "", plain)
    return re.sub(r"[^\w\- ]", "", plain.lower()).strip().replace(" ", "-")


def anchors(text: str) -> set[str]:
    """All anchors of a page; of equal headings, the second one ends with -1."""
    found: set[str] = set()
    seen: Counter[str] = Counter()
    for _, _, heading in headings(text):
        name = anchor(heading)
        found.add(f"{name}-{seen[name]}" if seen[name] else name)
        seen[name] += 1
    return found


def section(text: str, heading: str) -> str | None:
    """What stands under a heading, up to the next one of its level or above; None if there is no such heading."""
    known = list(headings(text))
    for place, (line, level, name) in enumerate(known):
        if name.strip("`") == heading:
            after = (number for number, other, _ in known[place + 1 :] if other <= level)
            end = next(after, len(text.splitlines()) + 1)
            return "\n".join(text.splitlines()[line : end - 1]).strip() + "\n"
    return None


@cache
def _anchors_of(path: Path) -> set[str]:
    return anchors(path.read_text("utf-8"))


def broken_links(page: Path, root: Path) -> Iterator[str]:
    """Links of a page to files that are not there or lie outside the project, and to anchors that no heading has."""
    for link in links(page.read_text("utf-8")):
        if link.outside:
            continue
        file, _, place = link.target.partition("#")
        path = (page.parent / file).resolve() if file else page
        where = f"{page.relative_to(root)}:{link.line}: {link.target}"
        if not path.exists():
            yield f"{where} is not there"
        elif not path.is_relative_to(root):
            yield f"{where} lies outside the project"
        elif place and path.suffix == ".md" and place not in _anchors_of(path):
            yield f"{where} has no such heading"
