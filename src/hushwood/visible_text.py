"""Texts from tables as people may safely see them: characters that hide, reorder or command are spelt out.

A column name or a category can hold terminal commands, or turn around the direction of what follows. Whatever is
printed or drawn goes through `visible`; files for programs keep the characters.
"""

from __future__ import annotations

import unicodedata
from typing import Any

# Controls, invisible signs (those that change the direction among them), halves of signs, breaks of lines.
_HIDDEN = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})


def visible(text: str) -> str:
    """The text with every character that is not seen spelt as in a Python string.

    >>> visible("a\\x1b[31m\\u202eb\\n"), visible("né 5 %")
    ('a\\\\x1b[31m\\\\u202eb\\\\n', 'né 5 %')
    """
    if text.isprintable():
        return text
    return "".join(_spelt(sign) if unicodedata.category(sign) in _HIDDEN else sign for sign in text)


def visible_everywhere(data: Any) -> Any:
    """Lists and mappings of plain data with every text in them, keys too, as `visible` gives it."""
    if isinstance(data, str):
        return visible(data)
    if isinstance(data, dict):
        return {visible_everywhere(key): visible_everywhere(value) for key, value in data.items()}
    return [visible_everywhere(value) for value in data] if isinstance(data, list | tuple) else data


def _spelt(sign: str) -> str:
    return sign.encode("unicode_escape").decode("ascii")
