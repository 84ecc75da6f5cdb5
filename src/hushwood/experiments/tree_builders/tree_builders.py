"""C4.5 or See5 behind a release: the same records released with the trees of both, on five tables (ours).

One release is made and judged in `releases`, the builders are compared in `verdict`; `words` has the keys.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from hushwood.experiments.paper_tables import PaperTables
from hushwood.experiments.protocol import Experiment, Finding, Measured, Outcome, Size, Task, public_streams
from hushwood.experiments.reproducing.charts import Bar, grouped_bars
from hushwood.experiments.reproducing.comparison import Ours
from hushwood.experiments.tree_builders.releases import (
    ALONE,
    BUILDERS,
    C45,
    LARGER,
    LINKED,
    SEGMENTS,
    UTILITY,
    WAYS,
    Judge,
    read_by,
)
from hushwood.experiments.tree_builders.verdict import OUTCOMES, Run, score, sides
from hushwood.experiments.tree_builders.words import (
    GROWN,
    LABELS,
    SHARES,
    counts_key,
    in_words,
    key,
    kind_of,
    scaled,
)
from hushwood.reports.charts import Chart

NAME = "tree-builders"
TABLES = tuple(LABELS)
SLOW = "adult"
_DRAWN = (
    SEGMENTS,
    ALONE,
    *(read_by(UTILITY["rule_types"], reader) for reader in BUILDERS),
    LINKED["everything"],
)


def claim_key(side: str, other: str) -> str:
    """The key of the sentence that See5 is better than another way to grow, in utility or in risk."""
    return f"{side}, see5 against {other}"


def tasks(size: Size) -> Sequence[Task]:
    """One task for every table and run; it makes a release for each way to grow the trees.

    A small run leaves out the table that takes as long as the others together.
    """
    runs = size.repeats or 1
    return [
        Task(f"{table} {number}", {"table": table, "run": number}, 5.0 if table == SLOW else 1.0)
        for table in TABLES
        if not (size.small and table == SLOW)
        for number in range(runs)
    ]


def run(task: Task, tables: PaperTables) -> Outcome:
    """Release the same records in all ways, under the same key, and judge every release."""
    name, number = task.settings["table"], task.settings["run"]
    judge = Judge.of(tables.table(name), public_streams(NAME, name, number))
    return {"table": name, "run": number, "ways": {way: judge.judged(way) for way in WAYS}}


def measure(outcomes: Mapping[str, Outcome]) -> Measured:
    """All numbers by table and way to grow, and how often See5 is ahead of the others."""
    runs = _by_table(outcomes)
    numbers: dict[str, list[float]] = {
        key(table, way, what): [scaled(what, one[way][what]) for one in of_table]
        for table, of_table in runs.items()
        for way in WAYS
        for what in of_table[0][way]
    }
    claims = {}
    for other in (C45, LARGER):
        for side, signs in sides().items():
            counted = score(runs, signs, other)
            numbers |= {counts_key(side, other, one): [getattr(counted, one)] for one in OUTCOMES}
            if counted.ahead or counted.behind:
                claims[claim_key(side, other)] = Finding(counted.better, counted.words())
    return Measured(numbers, claims)


def draw(measured: Measured, printed: Mapping[str, Sequence[float]]) -> Sequence[Chart]:
    """Segments, people alone, rules found again and linked records, by table and way to grow."""
    return [
        grouped_bars(
            in_words(what)[:1].upper() + in_words(what)[1:],
            "Releases of the same records with trees grown in three ways.",
            [
                Bar(LABELS[table], GROWN[way], ours.mean, ours.low, ours.high)
                for table in TABLES
                for way in WAYS
                if (found := measured.numbers.get(key(table, way, what)))
                for ours in [Ours.of(found)]
            ],
            in_words(what),
            percent=kind_of(what) in SHARES,
        )
        for what in _DRAWN
    ]


def _by_table(outcomes: Mapping[str, Outcome]) -> Mapping[str, Sequence[Run]]:
    found = {table: [one for one in outcomes.values() if one["table"] == table] for table in TABLES}
    return {
        table: [one["ways"] for one in sorted(some, key=lambda one: int(one["run"]))]
        for table, some in found.items()
        if some
    }


_ABOUT = (
    (
        "Nobody printed this. The thesis grew its trees with See5; C4.5 release 8 is an older program of the same "
        "author. Which of them should stand behind a release?"
    ),
    (
        "In every run 70 % of a table's complete records are drawn and released twice by forest-framework with the "
        "defaults of release, under the same key: once with the trees of c45, once with those of see5. A receiver "
        "may grow trees with either builder, whatever stood behind the release, so all that is said about trees is "
        "said for both readers: rules found again is the share of released records under Type A rules, EDUDS and "
        "EDUSC compare the forests, and a tree learnt from the release is tried on the other 30 %. The risk is who "
        "is alone in a segment, what is left unchanged, the two entropies, and how many people are linked to their "
        "record by somebody who knows all their attributes, or those that others know."
    ),
    (
        "The rule was fixed before the first run. A pair of table and measure goes to a builder if the 95 % "
        "interval of the mean difference of the runs leaves out 0. See5 is to be the default if it is ahead in "
        "more pairs than behind, in utility and in risk; otherwise c45 stays, because a change of default has its "
        "price."
    ),
    (
        "As See5 turned out to make larger segments, a third release was added afterwards, with c45 and a smallest "
        "leaf twice as large: does See5 do what --min-leaf would do as well? It has no part in the rule."
    ),
)

EXPERIMENT = Experiment(
    name=NAME,
    title="C4.5 or See5 behind a release",
    source="ours alone",
    about=_ABOUT,
    needs=TABLES,
    full=Size(repeats=30),
    small=Size(repeats=1, small=True),
    tasks=tasks,
    run=run,
    measure=measure,
    draw=draw,
)
