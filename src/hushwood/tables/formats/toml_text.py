"""Texts and lists as TOML writes them; light to import."""

from __future__ import annotations

_LINE = 100


def quoted(text: str) -> str:
    r"""A TOML basic string.

    >>> quoted('a "b"\n')
    '"a \\"b\\"\\n"'
    """
    escapes = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t"}
    return '"' + "".join(escapes.get(c, c if c.isprintable() else f"\\U{ord(c):08X}") for c in text) + '"'


def list_text(items: list[str]) -> str:
    """The items on one line if they fit, else on several indented lines."""
    flat = f"[{', '.join(items)}]"
    if len(flat) <= _LINE:
        return flat
    lines = [""]
    for item in items:
        if len(lines[-1]) + len(item) > _LINE and lines[-1]:
            lines.append("")
        lines[-1] += f"{item}, "
    return "[\n" + "".join(f"  {line.rstrip()}\n" for line in lines) + "]"
