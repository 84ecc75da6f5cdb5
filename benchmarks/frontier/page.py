"""docs/frontier.md from the document: what was to be shown, means, paired differences, the dial, and the pictures."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from membership_page import all_done, rivals

from frontier.contenders import DIAL, FAMILIES, OURS
from frontier.document import Document
from frontier.summary import (
    CART,
    PAIRED_AT_EQUAL_RISK,
    RIVALS,
    Estimate,
    Runs,
    Shown,
    behind,
    dial,
    limits_shown,
    title_of,
)
from frontier.tables import APART, DEVELOPMENT
from frontier.yardstick import BY_KEY, MEASURES, RISK, UTILITY

NOTHING = "–"
ALL_TABLES = "frontier.svg"
HEAD = """# The frontier: utility against risk

Every recipe of `release`, rivals and peers on the same tables, by the same yardstick. `make frontier` runs the
comparison and writes this page from [frontier.json](frontier.json), which holds the numbers of every run.

**How.** The complete records of a table are put into keyed order. Four fifths of them, at most 4,000, are the people of
the table; at most 2,000 of the others are held out. Each contender releases the people of the table; models and attacks
of scikit-learn and numpy, not Hushwood's own, measure the release. Contenders meet the same splits, so differences are
paired. Intervals are 95 %: seeds are averaged, then Student's t is taken over the tables, so they say what to expect of
another table. A set of categories that stands for one value is read as one of them, drawn evenly.
"""
LISTED = """\
The numbers above are older than the drawing of people and counts (segment-shuffle is that of `--redraw 0`), and without
the strongest intruder: one who has a list of candidates, two thirds of whom are in the table. This one was measured on
20 November 2026 with every technique's defaults on one thread: 12 throw-away releases (peers: 6) of two thirds of the
people, judged by one learner over fourteen ways that was trained on other releases and other people. It shows the
advantage with its 95 % interval, and the share of members found while 1 % of the others are mistaken for members;
guessing gives 0 and 1 %. Cmc and adult are development tables of segment-shuffle's settings, gbsg2 is not.
[What we found](findings.md#who-was-in-the-table-exact-counts-say-so) has the law behind it.

"""
FURTHER = """\
- **certificate**: share of the people whose released row is in their own leaf, in every tree; the product's own check
  of its own recipes.
- **seconds**: median time of a release on one thread, on the machine of the run; a peer starts an interpreter in it.
- **worst risk**, in the pictures: the largest of linkage, worst 5 %, both inference excesses, and 2 AUC − 1 of the
  membership attacks.
"""


def page(document: Document) -> str:
    """The whole page."""
    development = Runs.of(document.runs, document.tables(DEVELOPMENT))
    apart = Runs.of(document.runs, document.tables(APART))
    parts = [
        HEAD,
        _what_ran(document),
        "## What was to be shown\n",
        _limits(limits_shown(development)),
        _ahead(development),
        _at_equal_risk(development),
        "## Means over the development tables\n",
        _means(document, development),
        f"![Risk against utility, all development tables](pictures/{ALL_TABLES})\n",
        f"## Paired differences: {OURS} less the other\n",
        _differences(document, development),
        "## The dial\n",
        _dials(development),
        "## Tables shown apart\n",
        _means(document, apart) if apart.contenders else "No runs yet.\n",
        "## A list of candidates\n",
        LISTED + rivals(all_done()),
        "## Table by table\n",
        _pictures(document),
        "## The measures\n",
        _measures(),
        "## What did not run\n",
        _not_run(document),
    ]
    return "\n".join(parts)


def picture_name(table: str) -> str:
    return f"frontier-{table.lower()}.svg"


def _what_ran(document: Document) -> str:
    tables, versions = document.tables((*DEVELOPMENT, *APART)), document.versions
    seeds = f"{document.seeds} seed{'s' if document.seeds != 1 else ''}"
    shown = ", ".join(f"{name} {number}" for name, number in versions.items())
    ran = f"{len(document.runs):,} runs on {len(tables)} tables with {seeds}: {', '.join(tables)}"
    return f"{ran}. Versions: {shown}.\n"


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [head, ["---", *["--:"] * (len(head) - 1)], *rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def number(value: float, digits: int = 3) -> str:
    """A number for people: 0.983, and never −0.000.

    >>> number(-0.0001), number(0.98304)
    ('0.000', '0.983')
    """
    return f"{round(value, digits) + 0.0:.{digits}f}".replace("-", "−")


def with_interval(found: Estimate | None, digits: int = 3) -> str:
    """The mean and half its interval; a dash if there is none."""
    if found is None:
        return NOTHING
    return number(found.mean, digits) + ("" if found.half is None else f" ± {number(found.half, digits)}")


def _limits(shown: Sequence[Shown]) -> str:
    words = {True: "yes", False: "**no**", None: "not run"}
    rows = [[one.what, one.limit, with_interval(one.found, 4), words[one.holds]] for one in shown]
    return _table(("mean over the development tables", "limit", "found", "kept"), rows)


def _ahead(runs: Runs) -> str:
    rows = []
    for rival in RIVALS:
        found = behind(runs, rival)
        if found is None:
            rows.append([rival, "not run", NOTHING])
        else:
            rows.append([rival, "**no**" if found else "yes", ", ".join(map(title_of, found)) or NOTHING])
    return f"Ahead in all seven utility means, {OURS} against each:\n\n" + _table(
        ("rival", "ahead in all", "not ahead in"), rows
    )


def _at_equal_risk(runs: Runs) -> str:
    head = ("", *PAIRED_AT_EQUAL_RISK)
    rows = [
        [f"{BY_KEY[key].title} ({BY_KEY[key].better} is better)"]
        + [with_interval(runs.difference(name, CART, key)) for name in PAIRED_AT_EQUAL_RISK]
        for key in (*UTILITY, *RISK)
    ]
    return (
        f"Against {CART} (min leaf 25, teacher, blur), difference of segment-shuffle less it:\n\n"
        + _table(head, rows)
    )


def _means(document: Document, runs: Runs) -> str:
    """Utility and risk of every contender, family by family."""
    sections = []
    for keys in (UTILITY, (*RISK, "kept")):
        more = ("seconds", "tables") if "kept" in keys else ("tables",)
        head = ("contender", *(_heading(key) for key in keys), *more)
        rows = []
        for name in _by_family(document, runs):
            tables = runs.mean(name, "lift_share")
            last = [str(tables.tables if tables else 0)]
            middle = [_median_seconds(runs, name)] if "kept" in keys else []
            rows.append([name, *(with_interval(runs.mean(name, key)) for key in keys), *middle, *last])
        sections.append(_table(head, rows))
    return "\n".join(sections)


def _heading(key: str) -> str:
    if key not in BY_KEY:
        return title_of(key)
    return f"{BY_KEY[key].title} {'↑' if BY_KEY[key].better == 'higher' else '↓'}"


def _by_family(document: Document, runs: Runs) -> list[str]:
    names = [name for name in document.contenders if name in runs.contenders]
    families = list(FAMILIES)
    return sorted(names, key=lambda name: families.index(document.contenders[name]["family"]))


def _median_seconds(runs: Runs, name: str) -> str:
    found = list(runs.values.get((name, "seconds"), {}).values())
    return f"{np.median(found):.1f}" if found else NOTHING


def _differences(document: Document, runs: Runs) -> str:
    if OURS not in runs.contenders:
        return f"{OURS} has no runs yet.\n"
    sections = []
    for keys in (UTILITY, RISK):
        head = (f"{OURS} less", *(_heading(key) for key in keys))
        rows = [
            [name, *(with_interval(runs.difference(OURS, name, key)) for key in keys)]
            for name in _by_family(document, runs)
            if name != OURS
        ]
        sections.append(_table(head, rows))
    return "\n".join(sections)


def _dials(runs: Runs) -> str:
    sections = []
    for teacher in ("ensemble", "tree"):
        found = dial(runs, teacher)
        if not found:
            sections.append(f"With teacher {teacher}: no runs over the whole dial yet.\n")
            continue
        rows = [
            [
                title_of(one.key),
                *(f"{number(m)} ({number(f)})" for m, f in zip(one.means, one.fit, strict=True)),
                "yes" if one.falls else "**no**",
            ]
            for one in found
        ]
        head = (f"teacher {teacher}", *(f"k = {k}" for k in DIAL), "falls")
        sections.append(_table(head, rows))
    says = (
        "Means over the development tables, in brackets their falling (isotonic) fit. A risk falls if its fit ends "
        "lower than it starts and no step up is beyond chance: the interval of its paired difference reaches 0.\n"
    )
    return "\n".join([says, *sections])


def _pictures(document: Document) -> str:
    tables = document.tables((*DEVELOPMENT, *APART))
    return "\n".join(
        f"![Risk against utility, {table}](pictures/{picture_name(table)})\n" for table in tables
    )


def _measures() -> str:
    return (
        "".join(f"- **{m.title}** ({m.kind}, {m.better} is better): {m.says}.\n" for m in MEASURES) + FURTHER
    )


def _not_run(document: Document) -> str:
    lacking: dict[str, list[str]] = {}
    for name, reason in document.skipped.items():
        lacking.setdefault(reason, []).append(name)
    lines = [f"- {reason[0].upper()}{reason[1:]}: {'; '.join(names)}." for reason, names in lacking.items()]
    reasons: dict[tuple[str, str], list[str]] = {}
    for run in document.runs:
        if run.not_applicable:
            tables = reasons.setdefault((run.contender, run.not_applicable), [])
            tables += [] if run.table in tables else [run.table]
    lines += [f"- {name} on {', '.join(tables)}: {reason}" for (name, reason), tables in reasons.items()]
    return "\n".join(lines or ["Everything ran."]) + "\n"
