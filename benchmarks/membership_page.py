"""The tables of docs/findings.md about lists of candidates: `python benchmarks/membership_page.py`.

They are made from docs/membership.json, which `membership_by_list.py` writes.

A table stands between two comments, `<!-- list: NAME -->` and `<!-- end of list -->`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import mean
from typing import Any

DOCS = Path(__file__).parent.parent / "docs"
RESULTS, PAGE = DOCS / "membership.json", DOCS / "findings.md"
ADVANTAGE, FOUND = 0.10, 0.03
DEVELOPMENT = ("cmc", "adult 4,000")
LIST = "list_membership."
AVERAGE = ("advantage", "at_1_percent", "at_10_percent")
COSTS = {
    "pair_tv": "pairs",
    "one_way_tv": "columns",
    "association_error": "associations",
    "auc": "AUC",
}
SETTINGS = ("redraw 0", "redraw 1", "redraw 3", "bootstrap", "second sample")


@dataclass(frozen=True)
class Done:
    """A finished job."""

    kind: str
    table: str
    options: Mapping[str, Any]
    key: int
    found: Mapping[str, Any]

    @property
    def redraw(self) -> float:
        return float(self.options.get("redraw", 1))

    @property
    def plain(self) -> bool:
        """Whether it is the default but for its redraw."""
        return not set(self.options) - {"redraw", "releases"}

    @property
    def list_passed(self) -> bool:
        """Whether a verdict passed what a list gives away of everybody."""
        return all(self.found["checks"][LIST + name][0] == "pass" for name in AVERAGE)

    @property
    def within(self) -> bool:
        """Whether a truth is within the limits of `public`, as far as its interval says."""
        lowest = float(self.found["advantage"][1]), float(self.found["at_1_percent"][1])
        return lowest[0] <= ADVANTAGE and lowest[1] <= FOUND


def all_done(file: Path = RESULTS) -> list[Done]:
    kept = json.loads(file.read_text("utf-8")) if file.is_file() else {}
    found = []
    for name, said in kept.items():
        kind, table, options, key = json.loads(name)
        if "failed" not in said:
            found.append(Done(kind, table, options, key, said))
    return found


def grid(headings: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    marks = ["---", *["--:"] * (len(headings) - 1)]
    return "".join(f"| {' | '.join(row)} |\n" for row in (headings, marks, *rows))


def three(value: float | None) -> str:
    if value is None:
        return "–"
    return f"{value:.3f}".replace("-0.", "-.").removeprefix("0").replace("-", "−")


def percent(value: float) -> str:
    return f"{100 * value:.1f}"


def between(values: Sequence[float]) -> str:
    """An advantage with its interval."""
    return f"{three(values[0])} ({three(values[1])} to {three(values[2])})"


def truths(done: Sequence[Done], redraw: float = 1) -> list[Done]:
    """The default on tables that it was not made for; the rivals' tables have runs of their own."""
    found = [
        d for d in done if d.kind == "truth" and d.plain and d.redraw == redraw and d.table not in DEVELOPMENT
    ]
    return sorted(found, key=lambda d: (d.table.startswith("made"), d.found["rows"]))


def _truth(done: Sequence[Done]) -> str:
    rows = [
        (
            d.table
            if d.table.startswith("made")
            else f"{d.table}, {d.found['rows']:,} × {d.found['columns']}",
            f"{d.found['releases']}",
            f"{d.found['k']}",
            f"{d.found['segments']}",
            f"{d.found['cells']:.0f}",
            three(d.found["law"]),
            between(d.found["advantage"]),
            percent(d.found["at_1_percent"][0]),
            percent(d.found["at_10_percent"][0]),
            three(d.found["worst_off_advantage"][0]),
            percent(d.found["worst_off_at_1_percent"][0]),
            three(mean(null[0] for null in d.found["null"])),
        )
        for d in truths(done)
    ]
    headings = ("table", "releases", "k", "segments", "D", "law", "advantage", "found at 1 %", "at 10 %")
    return grid((*headings, "worst-off: advantage", "at 1 %", "wrong labels"), rows)


def _verdicts(done: Sequence[Done]) -> str:
    rows = []
    for redraw in (1, 3):
        for d in truths(done, redraw):
            said = [v for v in done if v.kind == "verdict" and v.table == d.table and v.redraw == redraw]
            if said:
                rows.append(_verdict_row(d, said))
    headings = ("table", "redraw", "keys", "cleared", "list passed", "true advantage", "true at 1 %")
    return grid((*headings, "law", "within the limits"), rows)


def _verdict_row(d: Done, said: Sequence[Done]) -> tuple[str, ...]:
    return (
        d.table,
        f"{d.redraw:g}",
        str(len(said)),
        str(sum(v.found["status"] == "cleared" for v in said)),
        str(sum(v.list_passed for v in said)),
        between(d.found["advantage"]),
        percent(d.found["at_1_percent"][0]),
        three(d.found["law"]),
        "yes" if d.within else "**no**",
    )


def counted(done: Sequence[Done]) -> dict[str, int]:
    """Tables and verdicts of the default, and how many of them hold."""
    found = dict.fromkeys(("verdicts", "passed", "right", "cleared", "cleared right"), 0)
    by = {(d.table, d.redraw): d for redraw in (1.0, 3.0) for d in truths(done, redraw)}
    for v in done:
        truth = by.get((v.table, v.redraw))
        if v.kind != "verdict" or truth is None:
            continue
        cleared = v.found["status"] == "cleared"
        for name, holds in (
            ("verdicts", True),
            ("passed", v.list_passed),
            ("right", v.list_passed and truth.within),
            ("cleared", cleared),
            ("cleared right", cleared and truth.within),
        ):
            found[name] += holds
    return found


def _summary(done: Sequence[Done]) -> str:
    n = counted(done)
    one = truths(done)
    inside = sum(d.within for d in one)
    below = sum(d.found["advantage"][0] <= ADVANTAGE for d in one)
    return (
        f"- {below} of {len(one)} tables have a measured advantage of at most .10 at redraw 1; of {inside} the limits "
        "of `public` hold within noise (the lower ends of the intervals are within them).\n"
        f"- Quick evidence was asked {n['verdicts']} times. The three checks of the list for everybody passed "
        f"{n['passed']} times; in {n['right']} of these the truth is within the limits. The verdict as a whole was "
        f"*cleared* {_times(n['cleared'])}, {_times(n['cleared right'])} rightly so far as the list is concerned.\n"
    )


def _times(number: int) -> str:
    return "once" if number == 1 else f"{number} times"


def _costs(done: Sequence[Done]) -> str:
    rows = []
    for d in (d for d in done if d.kind == "cost"):
        for setting in (s for s in SETTINGS if s in d.found):
            own = d.found[setting]
            rows.append((f"{d.table}, {d.found['rows']:,}", setting, *(three(own[part]) for part in COSTS)))
        rows.append(
            (
                f"{d.table}, {d.found['rows']:,}",
                "the people themselves",
                "0",
                "0",
                "0",
                three(d.found["original_auc"]),
            )
        )
    return grid(("table, people released", "what", *COSTS.values()), rows)


def _regressions(done: Sequence[Done]) -> str:
    rows = []
    for d in (d for d in done if d.kind == "cost" and "terms" in d.found["redraw 0"]):
        for setting in (s for s in SETTINGS if s in d.found):
            own = d.found[setting]
            rows.append(
                (
                    d.table,
                    setting,
                    f"{own['terms']:.0f}",
                    percent(own["intervals_meet"]),
                    percent(own["estimate_inside"]),
                    f"{own['significant_kept']:.1f} of {own['significant']:.0f}",
                )
            )
    headings = (
        "table",
        "what",
        "coefficients",
        "intervals meet, %",
        "estimate in the original's interval, %",
    )
    return grid((*headings, "significant ones kept"), rows)


def rivals(done: Sequence[Done]) -> str:
    """Techniques and peers under the same attack, on the tables that they share."""
    tables = ("cmc", "gbsg2", "adult 4,000")
    found: dict[str, dict[str, Done]] = {}
    for d in done:
        if d.kind == "truth" and not d.options.get("same_k") and d.table in tables:
            name = (
                d.options.get("technique") or d.options.get("peer") or f"segment-shuffle, redraw {d.redraw:g}"
            )
            found.setdefault(name, {})[d.table] = d
    rows = [
        (
            name,
            *(_both(each[table].found) if table in each else "–" for table in tables),
            "/".join(str(each[table].found["releases"]) for table in tables if table in each),
        )
        for name, each in sorted(
            found.items(), key=lambda pair: mean(d.found["advantage"][0] for d in pair[1].values())
        )
    ]
    return grid(("technique", *tables, "releases"), rows)


def _both(found: Mapping[str, Any]) -> str:
    return f"{between(found['advantage'])}; {percent(found['at_1_percent'][0])} %"


def _parts(done: Sequence[Done]) -> str:
    rows = []
    for d in (d for d in done if d.options.get("same_k")):
        given = [f"{n} {v}" for n, v in d.options.items() if n in ("teacher", "leaves", "blur", "redraw")]
        rows.append(
            (
                d.table,
                ", ".join(given) or "default",
                between(d.found["advantage"]),
                percent(d.found["at_1_percent"][0]),
                three(d.found.get("law")),
            )
        )
    return grid(("table", "what", "advantage", "found at 1 %", "law"), rows)


TABLES: Mapping[str, Callable[[Sequence[Done]], str]] = {
    "truth": _truth,
    "summary": _summary,
    "verdicts": _verdicts,
    "costs": _costs,
    "regressions": _regressions,
    "rivals": rivals,
    "parts": _parts,
}


def filled(page: str, done: Sequence[Done]) -> str:
    """The page with its tables as the results have them."""
    for name, table in TABLES.items():
        start, stop = re.escape(f"<!-- list: {name} -->"), re.escape("<!-- end of list -->")
        made = f"<!-- list: {name} -->\n{table(done)}<!-- end of list -->"
        page = re.sub(f"{start}.*?{stop}", lambda _, made=made: made, page, flags=re.DOTALL)  # type: ignore[misc]
    return page


if __name__ == "__main__":
    PAGE.write_text(filled(PAGE.read_text("utf-8"), all_done()), "utf-8")
