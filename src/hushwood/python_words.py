"""Sentences that name the command's options, said to someone who writes Python: "--k" is "k" there, "--class" "target".

Every sentence is written once, in the words of the command; the Python functions and estimators translate it here.
"""

from __future__ import annotations

import json
import re
import traceback
import warnings
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from hushwood.errors import HushwoodError, HushwoodWarning, visible
from hushwood.stages import someone_types

_ROLES = {
    **{role: role for role in ("identifier", "quasi-identifier", "confidential")},
    "ignore": "ignored",
    "drop-weight": "identifier",
}
_FLAGS = {"force", "reuse-key", "shuffle-rows", "escape-formulas", "class-in-groups"}
_OTHERWISE = {
    "class": "target",
    "limit": "limits",
    "set": "settings",
    "hierarchy": "hierarchies",
    "o": "output",
    "seed-file": "seed",
}
_LISTS = {"limit", "missing"}
_NAMED = {"technique", "identifier", "policy", "person", "household"}  # the next word is their value
_NO_VALUE = {"to", "or", "and", "if", "in", "instead"}
_CHOICES = (
    "auto|class|declared|full|group|memory|missing|none|number|quick|rows|spark"
    "|streaming|suppress|value|variance"
)
_COLUMN = r"""'[^']*'|[^\s,;()'"=]+"""
_VALUE = (
    rf"""(?:(?:{_COLUMN})=)?(?:"[^"]*"|'[^']*')|(?:{_COLUMN})=[^\s,;()]*[^\s,;.()]|-?\d(?:[\d./]*\d)?\b"""
)
_WORD = rf"""[A-Z]+\b|(?:{_CHOICES})\b|[a-z]+(?:[-.]?[\da-z]*\d|(?:-[a-z]+)+|(?:\.[a-z]+)+)\b|[.,](?=\s|$)"""
_OPTION = re.compile(
    rf"`[^`]*`|(?<![\w'\"{{-])(?:--(?P<name>[a-z][a-z-]*[a-z]|k)|-(?P<sign>[okl]))(?![\w-])"
    rf"(?:[ =](?P<value>{_VALUE}|{_WORD})|[ ](?P<next>[^\s,;().]+))?"
)

_said: set[tuple[str, int | None, str]] = set()


def in_python(sentence: str) -> str:
    """The sentence with keywords in the place of options; commands between backquotes stay.

    >>> in_python("--k must be 2 or more; 1 was given.")
    'k must be 2 or more; 1 was given.'
    >>> in_python('Drop it with --identifier zip, or use --noise age=0.1, --evidence full or --missing "-9,?".')
    'Drop it with roles={"zip": "identifier"}, or use noise={"age": 0.1}, evidence="full" or missing=["-9", "?"].'
    """
    return _OPTION.sub(_keyword, sentence).replace("}, roles={", ", ")


@contextmanager
def speaking_python() -> Iterator[None]:
    """Have the errors of a block, or of a function that this decorates, name keywords."""
    try:
        yield
    except HushwoodError as fault:
        fault.args = (in_python(str(fault)),)
        raise


def give_warnings(sentences: Iterable[str]) -> None:
    """Give warnings as if the caller's line had; the command prints them itself.

    Where someone types, a cell that is run again repeats none of them.
    """
    caller = traceback.extract_stack(limit=4)[0]
    for sentence in sentences:
        key = caller.filename, caller.lineno, sentence
        if key in _said and someone_types():
            continue
        _said.add(key)
        # Past a public function and its `keywords`.
        warnings.warn(in_python(visible(sentence)), HushwoodWarning, stacklevel=4)


def _keyword(found: re.Match[str]) -> str:
    option = found["name"] or found["sign"]
    if option is None:
        return found[0]
    value, after = found["value"], f" {found['next']}" if found["next"] else ""
    if value is None and option in _NAMED and found["next"] and found["next"] not in _NO_VALUE:
        value, after = found["next"], ""
    several = "," if not after and found.string.startswith(" --", found.end()) else ""
    return _spelt(option, value) + after + several


def _spelt(option: str, value: str | None) -> str:
    name = _OTHERWISE.get(option, option.replace("-", "_"))
    if option in _ROLES:
        return f'roles={{{_text(value or "COLUMN")}: "{_ROLES[option]}"}}'
    if option in _FLAGS:
        return f"{name}=True" + ("" if value is None else f" {value}")
    if value is None:
        return name
    column, sign, rest = value.partition("=") if value[0] != '"' else ("", "", value)
    if option == "set":
        thing, _, parameter = column.partition(".")
        return f"{name}={{{_text(thing)}: {{{_text(parameter)}: {_text(rest) if sign else '...'}}}}}"
    if sign:
        return f"{name}={{{_text(column)}: {_text(rest)}}}"
    if option in _LISTS:
        return f"{name}={json.dumps(_plain(value).split(','), ensure_ascii=False)}"
    return f"{name}={_text(value)}"


def _text(value: str) -> str:
    """A value as Python writes it: numbers, truth values and N as they are, texts in quotation marks."""
    if re.fullmatch(r"-?\d+(\.\d+)?(/\d+)?|N|X", value):
        return value
    return value.title() if value in {"true", "false"} else f'"{_plain(value)}"'


def _plain(value: str) -> str:
    return value[1:-1] if value[0] in "\"'" and value[-1:] == value[0] else value
