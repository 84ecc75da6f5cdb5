"""How long `hushwood --help` takes, start of the interpreter included."""

from __future__ import annotations

from lines import Line, limited
from measuring import command, hushwood_command

LIMIT_SECONDS = 0.5


def compare() -> list[Line]:
    ours = command(lambda _: [hushwood_command(), "--help"])
    return [limited("hushwood --help", ours, LIMIT_SECONDS)]
