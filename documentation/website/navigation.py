"""The navigation in mkdocs.yml: which pages it names, and folders in it, which the build fills."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path

_ENTRY = re.compile(
    r"^(?P<room>[ ]*)- (?:(?P<title>[^:\n]+): )?(?P<path>[\w./-]+(?:\.md|/))[ ]*$", re.MULTILINE
)


def named_pages(config: str) -> list[str]:
    """The pages and folders that the navigation names, in its order.

    >>> named_pages("nav:\\n  - Start: start.md\\n  - Measures: how/measures/\\n")
    ['start.md', 'how/measures/']
    """
    return [found["path"] for found in _ENTRY.finditer(_nav(config))]


def _nav(config: str) -> str:
    return config.partition("\nnav:")[2] or config.partition("nav:")[2]


def filled(config: str, titles: Mapping[str, str]) -> str:
    """The configuration with the pages of every folder in its place; `titles` are those of generated pages."""

    def pages(found: re.Match[str]) -> str:
        folder, room = found["path"], found["room"]
        if not folder.endswith("/"):
            return found[0]
        inside = [path for path in titles if Path(path).parent == Path(folder)]
        first = [path for path in inside if path.endswith("/index.md")]
        lines = [f"{room}- {found['title']}:"]
        lines += [f"{room}    - {path}" for path in first]
        lines += [f"{room}    - {_quoted(titles[path])}: {path}" for path in inside if path not in first]
        return "\n".join(lines)

    head, word, nav = config.partition("\nnav:")
    return f"{head}{word}{_ENTRY.sub(pages, nav)}"


def _quoted(title: str) -> str:
    return '"' + title.replace("\\", "\\\\").replace('"', '\\"') + '"'


def left_out(config: str, pages: Sequence[str]) -> list[str]:
    """Pages that the navigation does not name."""
    named = set(named_pages(config))
    return [page for page in pages if page not in named and f"{Path(page).parent.as_posix()}/" not in named]
