"""Records alone in a segment, linkage and utility, for every technique on six tables: our own finding.

Releases are in `releases`; the papers' sentences are judged in `claims`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from hushwood_papers.alone_and_linked import releases
from hushwood_papers.alone_and_linked.charts_and_tables import drawn
from hushwood_papers.alone_and_linked.claims import claims_of, rank_correlations
from hushwood_papers.paper_tables import PaperTables
from hushwood_papers.protocol import Experiment, Measured, Outcome, Size, Task, paragraphs

RUNS = 10
# A small run: enough to see the finding in a few seconds.
SMALL = {
    "wine": (releases.UNTOUCHED, releases.F, releases.FF, releases.SMALL_FF),
    "crx": (releases.UNTOUCHED, releases.F, releases.FF, releases.GADP, releases.RT),
}


def tasks(size: Size) -> Sequence[Task]:
    """The segments of every table, and every run of every table with all techniques; a small run has some of them."""
    runs = size.repeats or RUNS
    if size.small:
        found = [_task(table, run, ways) for run in range(1, runs + 1) for table, ways in SMALL.items()]
        return [*found, Task("Wine, segments", {"table": "wine"})]
    found = [
        _task(table, run, ways_of(table, run)) for run in range(1, runs + 1) for table in releases.LABELS
    ]
    return [
        *(
            Task(f"{releases.LABELS[table]}, segments", {"table": table}, releases.COSTS[table])
            for table in releases.LABELS
        ),
        *found,
    ]


def ways_of(table: str, run: int) -> tuple[str, ...]:
    """The untouched table needs one run only; the paper gives no smallest leaf for Adult."""
    return tuple(
        name
        for name, way in releases.WAYS.items()
        if (way.recipe or run == 1) and (way.leaves != "paper" or table in releases.PAPER_LEAVES)
    )


def run(task: Task, tables: PaperTables) -> Outcome:
    """One run of one table with its techniques, or its segments by the number of trees."""
    from hushwood_papers.alone_and_linked.releases import Scene, alone_by_trees, released_and_measured

    settings = task.settings
    scene = Scene.of(settings["table"], tables)
    if "ways" not in settings:
        return {"segments": alone_by_trees(scene)}
    found = {way: released_and_measured(scene, way, settings["run"]) for way in settings["ways"]}
    return {"table": scene.name, "records": scene.table.rows, "ways": found}


def measure(outcomes: Mapping[str, Outcome]) -> Measured:
    """All numbers by table, technique and measure, and the rank correlations of SERS and H_RI with linkage."""
    numbers: dict[str, list[float]] = {}
    for outcome in outcomes.values():
        for name, share in outcome.get("segments", {}).items():
            numbers[name] = [share]
        if "records" in outcome:
            numbers[releases.records_key(outcome["table"])] = [float(outcome["records"])]
        for way, found in outcome.get("ways", {}).items():
            for what, value in found.items():
                numbers.setdefault(releases.key(outcome["table"], way, what), []).append(value)
    numbers |= {name: [value] for name, value in rank_correlations(numbers).items()}
    return Measured(numbers, claims_of(numbers))


def _task(table: str, run: int, ways: Iterable[str]) -> Task:
    chosen = list(ways)
    settings = {"table": table, "run": run, "ways": chosen}
    return Task(f"{releases.LABELS[table]}, run {run}", settings, cost=len(chosen) * releases.COSTS[table])


ABOUT = paragraphs(
    """
The papers judge the security of a release by entropies: SERS in the Forest Framework paper, H_RI in the thesis.
Neither tries to find anybody. Here every technique releases the five tables of that paper and a sample of 5,000
records of Adult, with one fifth of each held out, and an intruder who knows all attributes of a record but its class
links it with the release in three ways: the nearest record, the best one-to-one match, and agreements weighted by
Fellegi and Sunter. The best of the three counts, for 1,000 records or all; a blind guesser finds one in n.

Releases are made with the defaults of hushwood release, with the smallest leaves of the Forest Framework paper (its
other parameters, 3 trees, goodness 0.5, separation 0.3, are also the release's), and with leaves of 2, the default of
C4.5 and See5 that the thesis used on WBC. GADP is used alone, as in that paper: it redraws numbers and copies
categories and class. RT is the Random Framework (errata G14), which changes a category with probability 0.1. The
untouched table is the control.

Besides linkage we measure the records alone in their segment; records, cells and categories released unchanged; SERS
and H_RI, by the noise laws, and how far they are below log2 n; the accuracy of a forest on held-out records, and
EDUDS. Rank correlations are Spearman's, over all releases of a table. All seeds are public; the runs of a technique
differ in their noise alone. A small run covers some techniques on Wine and Credit.

The papers do not say what comparable, slightly, high and manageable mean. We took: within a factor of two; at most
twice; at least half of the possible bits; ten records per intersection on average, the smallest leaf in that paper's
table 3. An entropy indicates risk if its rank correlation with linkage is -0.5 or stronger on every table; dense
tables are safer if WBC is lowest by both baselines. That hardly any record is alone (less than 1 %) is our own
expectation. Except for the number of intersections, these limits were set after a first run had been seen; the numbers
are given with every verdict."""
)

EXPERIMENT = Experiment(
    name=releases.NAME,
    title="Alone in a segment, and linked",
    source="ours, about claims of Islam 2007 and Fletcher and Islam 2015",
    about=ABOUT,
    needs=tuple(releases.LABELS),
    full=Size(repeats=RUNS),
    small=Size(repeats=1, small=True),
    tasks=tasks,
    run=run,
    measure=measure,
    draw=drawn,
)
