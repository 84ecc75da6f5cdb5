"""All errors in one family, and text that is safe to show.

Every error says what was given, what is allowed and what to do; the command prints it and ends with its exit code.
A column name or a category can hold terminal commands, or reverse the direction of the text after it. Everything that
is printed or drawn goes through `visible`; files for programs keep the characters.
"""

from __future__ import annotations

import difflib
import re
import unicodedata
from collections.abc import Iterable
from typing import Any

# Controls, invisible characters (those that change the direction among them), halves of characters, breaks of lines.
_HIDDEN = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})
HIDDEN = "…"
# Up to the last @, because a password may hold one that nobody encoded. Also where a slash is missing, as in the path
# that Python makes of an address.
_IN_AUTHORITY = re.compile(r"((?:://|\bpostgres(?:ql)?:/*)[^:/?#@\s]*):\S*@", re.IGNORECASE)
_IN_QUERY = re.compile(r"([?&](?:ssl)?password=)[^&#\s]*", re.IGNORECASE)


class HushwoodError(Exception):
    """Root of all errors that Hushwood raises on purpose; names and values in the sentence are safe to print."""

    exit_code = 2

    def __init__(self, sentence: str = "") -> None:
        super().__init__(visible(without_passwords(sentence)))


class HushwoodWarning(UserWarning):
    """A doubt about a release that was made: read it before you hand the release out."""


class InputError(HushwoodError, ValueError):
    """The request or the data is wrong; the sentence says what to change. Python users expect a ValueError."""


class UnknownName(InputError, KeyError):
    """There is nothing of that name; the sentence says what there is."""

    __str__ = Exception.__str__  # a KeyError would put it in quotation marks


class InternalFault(HushwoodError):
    """Hushwood broke one of its own promises; nothing was released."""

    exit_code = 3


class BrokenCertificate(InternalFault):
    """A record left its segment although every technique used promises to keep it there."""


def without_passwords(text: str) -> str:
    """A text with a sign in the place of every password in the address of a database.

    >>> without_passwords("postgresql://ann:secret@server/clinic")
    'postgresql://ann:…@server/clinic'
    """
    if ":" not in text:
        return text
    return _IN_QUERY.sub(rf"\1{HIDDEN}", _IN_AUTHORITY.sub(rf"\1:{HIDDEN}@", text))


def unknown_name(what: str, given: str, allowed: Iterable[str]) -> UnknownName:
    """Build the error for a name that does not exist, with the nearest name that does.

    >>> str(unknown_name("policy", "publik", ["wp29", "public"]))
    "There is no policy 'publik'. Did you mean 'public'? Known: public, wp29."
    >>> str(unknown_name("parameter of swap", "p", []))
    "There is no parameter of swap 'p', and no other; omit it."
    """
    known = sorted(allowed)
    if not known:
        return UnknownName(f"There is no {what} {given!r}, and no other; omit it.")
    near = difflib.get_close_matches(given, known, n=1, cutoff=0.5)
    hint = f" Did you mean {near[0]!r}?" if near else ""
    return UnknownName(f"There is no {what} {given!r}.{hint} Known: {', '.join(known)}.")


def visible(text: str) -> str:
    """The text with every invisible character spelt as in a Python string.

    >>> visible("a\\x1b[31m\\u202eb\\n"), visible("né 5 %")
    ('a\\\\x1b[31m\\\\u202eb\\\\n', 'né 5 %')
    """
    if text.isprintable():
        return text
    return "".join(_spelt(sign) if unicodedata.category(sign) in _HIDDEN else sign for sign in text)


def visible_everywhere(data: Any) -> Any:
    """Lists and mappings of plain data with every text in them, keys too, made `visible`."""
    if isinstance(data, str):
        return visible(data)
    if isinstance(data, dict):
        return {visible_everywhere(key): visible_everywhere(value) for key, value in data.items()}
    return [visible_everywhere(value) for value in data] if isinstance(data, list | tuple) else data


def _spelt(sign: str) -> str:
    return sign.encode("unicode_escape").decode("ascii")
