"""The rows of the table: ours beside the peer or a limit, their ratio, what it must keep, and every run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Literal

from measuring import Measured


@dataclass(frozen=True)
class Limit:
    """What a ratio must keep, at least or at most a number, and the goal beyond it if there is one."""

    kind: Literal["at least", "at most"]
    value: float
    goal: float | None = None

    def holds(self, ratio: float) -> bool:
        return ratio >= self.value if self.kind == "at least" else ratio <= self.value

    def __str__(self) -> str:
        goal = "" if self.goal is None else f" (goal {self.goal:g})"
        return f"{'≥' if self.kind == 'at least' else '≤'} {self.value:g}{goal}"


@dataclass(frozen=True)
class Line:
    """One row of the table: ours beside the peer; without a ratio there is no verdict, only a note why.

    A line without a limit states its ratio and no more. The peer has 0 bytes where it is a number and not a process.
    """

    what: str
    ours: str
    peer: str
    ratio: float | None
    limit: Limit | None
    peak_bytes: int
    note: str = ""
    peer_bytes: int = 0
    runs: Sequence[float] = ()
    peer_runs: Sequence[float] = ()
    facts: Mapping[str, Any] = field(default_factory=dict)

    @property
    def verdict(self) -> str:
        if self.ratio is None:
            return "no peer"
        if self.limit is None:
            return "stated"
        return "ok" if self.limit.holds(self.ratio) else "MISSED"


def line_as_json(line: Line) -> dict[str, Any]:
    """All of a line; the verdict is written for those who read the file, and found anew from the rest."""
    return {**asdict(line), "verdict": line.verdict}


def line_from_json(found: Mapping[str, Any]) -> Line:
    parts = {name: value for name, value in found.items() if name != "verdict"}
    limit = None if parts["limit"] is None else Limit(**parts["limit"])
    return Line(**{**parts, "limit": limit})


def faster(what: str, ours: Measured, peer: Measured, at_least: float) -> Line:
    """A line that asks for a speed of so many times the peer's."""
    return _beside(what, ours, peer, peer.seconds / ours.seconds, Limit("at least", at_least))


def within(what: str, ours: Measured, peer: Measured, at_most: float, goal: float | None = None) -> Line:
    """A line that allows so many times the peer's time."""
    return _beside(what, ours, peer, ours.seconds / peer.seconds, Limit("at most", at_most, goal))


def stated(line: Line) -> Line:
    """The same line without its limit: for sizes that the limit was not set for, and for peers that set none."""
    return replace(line, limit=None)


def limited(what: str, ours: Measured, seconds: float) -> Line:
    """A line that allows so many seconds."""
    ratio, limit = ours.seconds / seconds, Limit("at most", 1)
    shown = f"{what}, against {seconds:g} s", shown_seconds(ours), f"{seconds:g} s"
    return Line(*shown, ratio, limit, ours.peak_bytes, runs=ours.runs, facts=ours.facts)


def without_peer(what: str, ours: Measured, limit: Limit | None, why: str) -> Line:
    """A line with ours alone."""
    return Line(
        what, shown_seconds(ours), "-", None, limit, ours.peak_bytes, why, runs=ours.runs, facts=ours.facts
    )


def memory(what: str, ours: Measured, allowed: int, at_most: float = 1.0, note: str = "") -> Line:
    """A line that allows so many times a number of bytes at the peak."""
    shown = what, shown_bytes(ours.peak_bytes), shown_bytes(allowed)
    limit = Limit("at most", at_most)
    return Line(*shown, ours.peak_bytes / allowed, limit, ours.peak_bytes, note)


def shown_seconds(measured: Measured) -> str:
    return f"{measured.seconds:.3g} s" if measured.seconds < 100 else f"{measured.seconds:,.0f} s"


def shown_bytes(size: int) -> str:
    return f"{size / 2**20:,.0f} MiB"


def _beside(what: str, ours: Measured, peer: Measured, ratio: float, limit: Limit) -> Line:
    return Line(
        what,
        shown_seconds(ours),
        shown_seconds(peer),
        ratio,
        limit,
        ours.peak_bytes,
        peer_bytes=peer.peak_bytes,
        runs=ours.runs,
        peer_runs=peer.runs,
        facts={**ours.facts, **({"peer": dict(peer.facts)} if peer.facts else {})},
    )
