"""The gallery: every example with its code and what it printed, as one page. `make gallery` runs them and writes it."""

from __future__ import annotations

import ast
import contextlib
import io
import re
import runpy
import sys
from collections.abc import Iterator
from itertools import zip_longest
from pathlib import Path

# In the order of the page.
EXAMPLES = (
    "first_release",
    "audit_another_tool",
    "choose_a_technique",
    "publish_a_tree",
    "in_batches",
    "reconstruction",
)
_HEAD = """# Examples

Six short programs and what they print. They are in `examples/`; `make gallery` runs them and writes this page, and a
test runs them all. Numbers may differ a little on another machine.
"""
_NUMBER = re.compile(r"(?<![\w.])-?\d[\d,]*(?:\.\d+)?")


def printed(path: Path) -> str:
    """What an example prints."""
    said, given = io.StringIO(), sys.argv
    sys.argv = [str(path)]
    try:
        with contextlib.redirect_stdout(said):
            runpy.run_path(str(path), run_name="__main__")
    finally:
        sys.argv = given
    return said.getvalue()


def part(path: Path, output: str) -> str:
    """An example on the page: its docstring, its code and its output."""
    text = path.read_text("utf-8")
    title, _, about = (ast.get_docstring(ast.parse(text)) or "").partition("\n\n")
    about = about.split("\n\n    ")[0]  # how to call it stands above the code anyway
    return (
        f"\n## {title.rstrip('.')}\n\n{about.strip()}\n\n`python examples/{path.name}` prints:\n\n"
        f"```text\n{output.rstrip()}\n```\n\nThe program:\n\n```python\n{code_of(text)}\n```\n"
    )


def code_of(text: str) -> str:
    """A program without its docstring and the line that is only for type checkers."""
    first = ast.parse(text).body[0]
    code = "\n".join(text.splitlines()[first.end_lineno or 0 :])
    return code.replace("from __future__ import annotations\n", "").strip()


def outputs(page: str) -> list[str]:
    """What the examples printed, as the page has it."""
    return [found[1] for found in re.finditer(r"prints:\n\n```text\n(.*?)\n```", page, re.DOTALL)]


def differences(shown: str, now: str, tolerance: float = 0.25) -> Iterator[str]:
    """Lines that say something else: other words, or a number that is further off than the tolerance.

    >>> list(differences("found 0.99 of 12", "found 0.97 of 12"))
    []
    >>> list(differences("found 0.99", "found 0.2")), list(differences("cleared", "not cleared"))
    (["'found 0.99' became 'found 0.2'"], ["'cleared' became 'not cleared'"])
    """
    for before, after in zip_longest(shown.rstrip().splitlines(), now.rstrip().splitlines(), fillvalue=""):
        numbers = [[float(n.replace(",", "")) for n in _NUMBER.findall(line)] for line in (before, after)]
        near = [
            abs(a - b) <= max(tolerance * max(abs(a), 0.05), 0.05) for a, b in zip(*numbers, strict=False)
        ]
        if _words(before) != _words(after) or len(numbers[0]) != len(numbers[1]) or not all(near):
            yield f"{before.rstrip()!r} became {after.rstrip()!r}"


def _words(line: str) -> str:
    """The line without numbers, bars and the room between them."""
    return " ".join(re.sub(r"[█─]+", "", _NUMBER.sub("#", line)).split())


def gallery(folder: Path) -> str:
    """The whole page; every example is run."""
    return _HEAD + "".join(part(folder / f"{name}.py", printed(folder / f"{name}.py")) for name in EXAMPLES)


if __name__ == "__main__":
    root = Path(__file__).parents[2]
    (root / "docs" / "gallery.md").write_text(gallery(root / "examples"), "utf-8")
