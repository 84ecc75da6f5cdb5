"""Texts as TOML writes them; light to import."""

from __future__ import annotations


def quoted(text: str) -> str:
    r"""A TOML basic string.

    >>> quoted('a "b"\n')
    '"a \\"b\\"\\n"'
    """
    escapes = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t"}
    return '"' + "".join(escapes.get(c, c if c.isprintable() else f"\\U{ord(c):08X}") for c in text) + '"'
