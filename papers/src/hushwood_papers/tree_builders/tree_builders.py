"""Releases with trees by C4.5 or See5: the same records released with both, on five tables (ours).

The decision rule was fixed before the first run: every pair of table and measure goes to See5, to the other way, or to
neither; the 95 % interval of the mean difference of the runs must exclude 0. Releases are in `releases`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from statistics import fmean, stdev

from hushwood.measures.registry import MEASURES
from hushwood.reports.charts.frame import Chart
from hushwood_papers.paper_tables import PaperTables
from hushwood_papers.protocol import (
    Experiment,
    Finding,
    Measured,
    Outcome,
    Size,
    Task,
    paragraphs,
    public_streams,
)
from hushwood_papers.reproducing.charts import Bar, grouped_bars
from hushwood_papers.reproducing.comparison import Ours
from hushwood_papers.tree_builders import releases
from hushwood_papers.tree_builders.releases import (
    ACCURACY,
    ALONE,
    BUILDERS,
    C45,
    GROWN,
    LABELS,
    LARGER,
    LINKED,
    RISK,
    SEE5,
    SEGMENTS,
    SHARES,
    UTILITY,
    WAYS,
    Judge,
    counts_key,
    in_words,
    key,
    kind_of,
    read_by,
    scaled,
)

CONFIDENCE = 0.95
OUTCOMES = ("ahead", "behind", "undecided")

# A run's numbers by way of growing and name.
Run = Mapping[str, Mapping[str, float]]


@dataclass(frozen=True, slots=True)
class Score:
    """Pairs in which See5 is ahead, behind, or neither."""

    ahead: int
    behind: int
    undecided: int

    @property
    def better(self) -> bool:
        """Whether See5 is ahead more often than behind."""
        return self.ahead > self.behind

    def words(self) -> str:
        """The score as part of a sentence.

        >>> Score(3, 1, 6).words()
        'See5 is ahead in 3 and behind in 1 of 10 pairs of table and measure, 6 are undecided'
        """
        pairs = self.ahead + self.behind + self.undecided
        return (
            f"See5 is ahead in {self.ahead} and behind in {self.behind} of {pairs} pairs of table and measure, "
            f"{self.undecided} are undecided"
        )


def sides() -> Mapping[str, Mapping[str, int]]:
    """The measures of utility and of risk, with 1 if more is better and -1 if less is."""
    read = {words: _sign(name) for name, words in UTILITY.items()} | {ACCURACY: 1}
    utility = {read_by(words, reader): sign for words, sign in read.items() for reader in BUILDERS}
    risk = {words: _sign(name) for name, words in RISK.items()}
    return {"utility": utility, "risk": {ALONE: -1, **risk, **dict.fromkeys(LINKED.values(), -1)}}


def score(runs: Mapping[str, Sequence[Run]], signs: Mapping[str, int], other: str) -> Score:
    """See5 against another way, over all tables; measures without a number on a table do not count."""
    found = [
        sign * leader([run[SEE5][what] - run[other][what] for run in of_table])
        for of_table in runs.values()
        for what, sign in signs.items()
        if all(what in run[way] for run in of_table for way in (SEE5, other))
    ]
    return Score(found.count(1), found.count(-1), found.count(0))


def leader(differences: Sequence[float]) -> int:
    """1 or -1 if the mean of the differences is significantly above or below 0, else 0.

    >>> leader([1.0, 1.2, 0.9]), leader([-2.0, -2.0]), leader([1.0, -1.0, 0.5]), leader([0.3])
    (1, -1, 0, 0)
    """
    if len(differences) < 2:
        return 0
    from scipy.stats import t

    runs, mean = len(differences), fmean(differences)
    reach = float(t.ppf((1 + CONFIDENCE) / 2, runs - 1)) * stdev(differences) / sqrt(runs)
    return int(mean > reach) - int(mean < -reach)


def _sign(name: str) -> int:
    return 1 if MEASURES[name]().better == "higher" else -1


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
    """The key of the sentence that See5 is better than another way, in utility or in risk."""
    return f"{side}, see5 against {other}"


def tasks(size: Size) -> Sequence[Task]:
    """One task per table and run, with a release for each way of growing the trees.

    A small run skips the table that takes as long as all others together.
    """
    runs = size.repeats or 1
    return [
        Task(f"{table} {number}", {"table": table, "run": number}, 5.0 if table == SLOW else 1.0)
        for table in TABLES
        if not (size.small and table == SLOW)
        for number in range(runs)
    ]


def run(task: Task, tables: PaperTables) -> Outcome:
    """Release the same records with all trees, under the same key, and judge every release."""
    name, number = task.settings["table"], task.settings["run"]
    judge = Judge.of(tables.table(name), public_streams(NAME, name, number))
    return {"table": name, "run": number, "ways": {way: judge.judged(way) for way in WAYS}}


def measure(outcomes: Mapping[str, Outcome]) -> Measured:
    """All numbers by table and way of growing, and how often See5 is ahead."""
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
    """Segments, records alone, rules found again and records linked, by table and way of growing."""
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


ABOUT = paragraphs(
    """
Nobody printed this. The thesis grew its trees with See5; C4.5 release 8 is an older program by the same author. Which
of them should a release use?

In every run 70 % of a table's complete records are drawn and released twice by forest-framework with the defaults of
release, under the same key: once with the trees of c45, once with those of see5. A receiver may grow trees with either
builder, whatever the release used, so everything about trees is measured for both readers: rules found again is the
share of released records under Type A rules, EDUDS and EDUSC compare the forests, and a tree learnt from the release
is tried on the other 30 %. Risk is measured by the records alone in a segment, unchanged values, the two entropies,
and how many people are linked to their record by an intruder who knows all their attributes, or the quasi-identifiers.

The rule was fixed before the first run. A pair of table and measure goes to a builder if the 95 % interval of the mean
difference of the runs excludes 0. See5 becomes the default if it is ahead in more pairs than behind, in utility and in
risk; otherwise c45 stays, because changing a default has its price.

As See5 turned out to make larger segments, a third release was added afterwards, with c45 and a smallest leaf twice as
large: would --min-leaf do the same as See5? It has no part in the rule."""
)

EXPERIMENT = Experiment(
    name=NAME,
    title="Releases with trees by C4.5 or See5",
    source="ours alone",
    about=ABOUT,
    needs=TABLES,
    full=Size(repeats=30),
    small=Size(repeats=1, small=True),
    tasks=tasks,
    run=run,
    measure=measure,
    draw=draw,
)


# Digits after the point; one for all others.
_DIGITS = {
    releases.ALONE: 2,
    **dict.fromkeys(releases.LINKED.values(), 2),
    releases.UTILITY["eduds"]: 3,
    releases.UTILITY["edusc"]: 3,
    releases.RISK["sers"]: 4,
    releases.RISK["reidentification_entropy"]: 2,
}
_PLAIN = (releases.SEGMENTS, releases.MEDIAN, releases.LEAVES, releases.UNPRUNED)


def builder_table(measured: Measured) -> str:
    """Means of the runs, c45 / see5, with the better one in bold."""
    signs = dict.fromkeys(_PLAIN, 0) | {
        what: sign for side in sides().values() for what, sign in side.items()
    }
    rows = [
        (_label(what), *(_cell(measured, table, what, signs[what]) for table in TABLES)) for what in signs
    ]
    return _table(("", *TABLES), rows)


def score_table(measured: Measured, other: str) -> str:
    """In how many pairs of table and measure see5 is ahead, behind, or neither."""
    rows = [
        (side, *(f"{measured.numbers[counts_key(side, other, outcome)][0]:.0f}" for outcome in OUTCOMES))
        for side in sides()
    ]
    return _table(("pairs", *OUTCOMES), rows)


def _cell(measured: Measured, table: str, what: str, sign: int) -> str:
    both = [measured.numbers.get(key(table, way, what)) for way in (releases.C45, releases.SEE5)]
    c45, see5 = both
    if c45 is None or see5 is None:
        return "–"
    ahead = sign * leader([b - a for a, b in zip(c45, see5, strict=True)])
    first, second = (_shown(what, fmean(values)) for values in (c45, see5))
    return " / ".join((f"**{first}**" if ahead < 0 else first, f"**{second}**" if ahead > 0 else second))


def _shown(what: str, mean: float) -> str:
    return f"{mean:.{_DIGITS.get(kind_of(what), 1)}f}"


def _label(what: str) -> str:
    """The name with its unit.

    >>> _label("rules found again, reader c45"), _label("segments")
    ('rules found again, reader c45, %', 'segments')
    """
    return f"{what}, %" if kind_of(what) in SHARES else what


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [head, ("---",) * len(head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
