"""How long `hushwood --help` takes, start of the interpreter included."""

from __future__ import annotations

from measuring import Limit, Line, command, hushwood_command

LIMIT_SECONDS = 0.5


def compare() -> list[Line]:
    ours = command(lambda _: [hushwood_command(), "--help"])
    limit = Limit("at most", 1)
    what = f"hushwood --help, against {LIMIT_SECONDS} s"
    ratio = ours.seconds / LIMIT_SECONDS
    return [Line(what, f"{ours.seconds:.3f} s", f"{LIMIT_SECONDS:.3f} s", ratio, limit, ours.peak_bytes)]
