"""Who is alone in a segment, who is linked and what miners keep, for every technique on six tables: our own finding.

The words are in `names`, releases are measured in `linked_releases` and `alone_segments`; what the
papers say and whether it holds is in `claims`, charts are in `charts`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from hushwood.experiments.alone_and_linked import names
from hushwood.experiments.alone_and_linked.charts import drawn
from hushwood.experiments.alone_and_linked.claims import claims_of, rank_correlations
from hushwood.experiments.paper_tables import PaperTables
from hushwood.experiments.protocol import Experiment, Measured, Outcome, Size, Task

RUNS = 10
# What a small run is about: enough to see the finding in a few seconds.
SMALL = {
    "wine": (names.UNTOUCHED, names.F, names.FF, names.SMALL_FF),
    "crx": (names.UNTOUCHED, names.F, names.FF, names.GADP, names.RT),
}


def tasks(size: Size) -> Sequence[Task]:
    """Every table with its segments, and every run of every table in all ways; a small run has some of them."""
    runs = size.repeats or RUNS
    if size.small:
        found = [_task(table, run, ways) for run in range(1, runs + 1) for table, ways in SMALL.items()]
        return [*found, Task("Wine, segments", {"table": "wine"})]
    found = [_task(table, run, ways_of(table, run)) for run in range(1, runs + 1) for table in names.LABELS]
    return [
        *(
            Task(f"{names.LABELS[table]}, segments", {"table": table}, names.COSTS[table])
            for table in names.LABELS
        ),
        *found,
    ]


def ways_of(table: str, run: int) -> tuple[str, ...]:
    """Chance has no part in the untouched table; of Adult the paper says nothing about leaves."""
    return tuple(
        name
        for name, way in names.WAYS.items()
        if (way.recipe or run == 1) and (way.leaves != "paper" or table in names.PAPER_LEAVES)
    )


def run(task: Task, tables: PaperTables) -> Outcome:
    """One run of one table in its ways; or its segments by the number of trees."""
    from hushwood.experiments.alone_and_linked.alone_segments import alone_by_trees
    from hushwood.experiments.alone_and_linked.linked_releases import Scene, released_and_measured

    told = task.settings
    scene = Scene.of(told["table"], tables)
    if "ways" not in told:
        return {"segments": alone_by_trees(scene)}
    found = {way: released_and_measured(scene, way, told["run"]) for way in told["ways"]}
    return {"table": scene.name, "records": scene.table.rows, "ways": found}


def measure(outcomes: Mapping[str, Outcome]) -> Measured:
    """All numbers by table, way and measure; and how SERS and H_RI rank releases beside linkage."""
    numbers: dict[str, list[float]] = {}
    for outcome in outcomes.values():
        for name, share in outcome.get("segments", {}).items():
            numbers[name] = [share]
        if "records" in outcome:
            numbers[names.records_key(outcome["table"])] = [float(outcome["records"])]
        for way, found in outcome.get("ways", {}).items():
            for what, value in found.items():
                numbers.setdefault(names.key(outcome["table"], way, what), []).append(value)
    numbers |= {name: [value] for name, value in rank_correlations(numbers).items()}
    return Measured(numbers, claims_of(numbers))


def _task(table: str, run: int, ways: Iterable[str]) -> Task:
    chosen = list(ways)
    settings = {"table": table, "run": run, "ways": chosen}
    return Task(f"{names.LABELS[table]}, run {run}", settings, cost=len(chosen) * names.COSTS[table])


ABOUT = (
    (
        "The papers judge the safety of a release by entropies: SERS in the Forest Framework paper, H_RI "
        "in the thesis. Neither tries to find anybody. Here every technique releases the five tables of "
        "that paper and a sample of 5,000 records of Adult, one fifth of each kept apart as unseen, and "
        "an intruder who knows all attributes of a record but its class links it with the release in "
        "three ways: the nearest record, the best one-to-one match, and agreements weighed by Fellegi and "
        "Sunter. The best of the three counts, for 1,000 records or all; somebody who guesses blindly "
        "finds one in n."
    ),
    (
        "Releases are made with the defaults of hushwood release, with the smallest leaves of the Forest "
        "Framework paper (its other parameters, 3 trees, goodness 0.5, separation 0.3, are the release's "
        "too), and with leaves of 2, the default of C4.5 and See5 that the thesis used on WBC. GADP "
        "stands alone, as in that paper: it draws numbers anew and copies categories and class. RT is the "
        "Random Framework (errata G14), which changes a category with probability 0.1. The untouched "
        "table is the control."
    ),
    (
        "Beside linkage: how many records are alone in their segment, go out as they came, and cells and "
        "categories that do; SERS and H_RI, by the noise laws, and what they fall short of log2 n; "
        "accuracy of a forest on unseen records and EDUDS. Rank correlations are Spearman's, over all "
        "releases of a table. All seeds are public; the runs of a way differ in their noise alone. A "
        "single run is about some ways on Wine and Credit."
    ),
    (
        "What comparable, slightly, high and manageable mean is nowhere said. We took: within a factor of "
        "two; at most twice; at least half of the possible bits; ten records to an intersection on average, the "
        "smallest leaf of that paper's table 3. That an entropy tells risk means here that its rank correlation "
        "with linkage is -0.5 or stronger on every table; dense tables are safer if WBC is lowest by both "
        "yardsticks. That hardly anybody is alone (less than 1 %) is an expectation of ours. Except for the number "
        "of intersections, these limits were set after a first run had been seen; the numbers stand beside every "
        "verdict."
    ),
)

EXPERIMENT = Experiment(
    name=names.NAME,
    title="Alone in a segment, and linked",
    source="ours, about claims of Islam 2007 and Fletcher and Islam 2015",
    about=ABOUT,
    needs=tuple(names.LABELS),
    full=Size(repeats=RUNS),
    small=Size(repeats=1, small=True),
    tasks=tasks,
    run=run,
    measure=measure,
    draw=drawn,
)
