"""Put the pages of the site together in one folder: those of docs/, and others that are made from the code.

Markdown that forges show as meant needs small changes for the site: a blank line before a list, deeper indents, and
links to files outside docs/, which are put next to the pages as plain text.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path, PurePosixPath

from website.markdown_pages import prose, with_links

SOURCES = "source"
PROJECT_PAGES = {"CONTRIBUTING.md": "project/contributing.md", "CHANGELOG.md": "project/changelog.md"}
_COPIED = {".png", ".svg", ".toml", ".css", ".json", ".txt"}
_ITEM = re.compile(r"^(\s*)(?:[-*]|\d+\.)\s")


def written_pages(root: Path) -> dict[str, Path]:
    """The files of pages that people wrote, by their place in the site."""
    docs = root / "docs"
    found = {path.relative_to(docs).as_posix(): path for path in sorted(docs.rglob("*.md"))}
    return found | {place: root / name for name, place in PROJECT_PAGES.items()}


def assemble(root: Path, folder: Path, made: Mapping[str, str]) -> None:
    """Write all pages and what they show or link to; `made` are the texts of pages that nobody wrote, by place."""
    shutil.rmtree(folder, ignore_errors=True)
    for path in sorted((root / "docs").rglob("*")):
        if path.suffix in _COPIED:
            _copy(path, folder / path.relative_to(root / "docs"))
    for place, path in written_pages(root).items():
        _write(folder / place, site_page(path.read_text("utf-8"), path, place, root, folder))
    for place, text in made.items():
        # Texts that were made link to other pages as pages in docs/ do.
        _write(folder / place, site_page(text, root / "docs" / "made.md", place, root, folder))


def site_page(text: str, path: Path, place: str, root: Path, folder: Path) -> str:
    """A page for the site: its lists as Python's Markdown wants them, and its links from where it stands."""

    def moved(target: str) -> str:
        file, sign, heading = target.partition("#")
        if not file or re.match(r"[a-z][a-z+.-]*:|//", file):
            return target
        there = _place_of((path.parent / file).resolve(), root, folder)
        return target if there is None else _relative(there, place) + sign + heading

    return with_links(spaced_lists(text), moved)


def spaced_lists(text: str) -> str:
    """Lists that Python's Markdown recognises: after a blank line, and indented by four.

    >>> print(spaced_lists("Two:\\n- a\\n  - b"), end="")
    Two:
    <BLANKLINE>
    - a
        - b
    """
    lines, before = text.splitlines(), ""
    free = dict(prose(text))
    shown: list[str] = []
    inside = False
    for number, line in enumerate(lines, 1):
        item = _ITEM.match(line) if number in free else None
        if item and not inside and before.strip() and not before.startswith("#"):
            shown.append("")
        if item:
            inside = True
            line = " " * _deeper(len(item[1])) + line.lstrip()
        elif number in free and line.strip() and not line.startswith(" "):
            inside = inside and bool(before.strip())  # a lazy line still belongs to the item before it
        shown.append(line)
        before = line
    return "\n".join(shown) + "\n"


def _deeper(room: int) -> int:
    """The indent of an item, in steps of four where others use two or three."""
    return 0 if room < 2 else 4 * max(1, round(room / 4 + 0.25))


def _place_of(target: Path, root: Path, folder: Path) -> str | None:
    """Where a file of the project is in the site; a file from outside docs/ is put there as plain text."""
    docs = root / "docs"
    if target.is_relative_to(docs):
        return target.relative_to(docs).as_posix()
    if not target.is_relative_to(root) or not target.exists():
        return None
    name = target.relative_to(root).as_posix()
    if name in PROJECT_PAGES:
        return PROJECT_PAGES[name]
    if target.is_dir():
        place = f"{SOURCES}/{name}/files.txt"
        _write(folder / place, "\n".join(_listed(target)) + "\n")
        return place
    place = f"{SOURCES}/{name}.txt"
    _copy(target, folder / place)
    return place


def _listed(folder: Path) -> Iterator[str]:
    yield from (path.relative_to(folder).as_posix() for path in sorted(folder.rglob("*.py")))


def _relative(place: str, page: str) -> str:
    """The way from a page to a place, both from the top of the site.

    >>> _relative("techniques.md", "how/techniques/rpt.md")
    '../../techniques.md'
    """
    here, there = PurePosixPath(page).parent, PurePosixPath(place)
    return (PurePosixPath(*[".."] * len(here.parts)) / there).as_posix()


def _copy(path: Path, place: Path) -> None:
    place.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(path, place)


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")
