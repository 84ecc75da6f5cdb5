from __future__ import annotations

from hushwood.experiments.tree_builders.markdown import builder_table, score_table
from hushwood.experiments.tree_builders.releases import WAYS
from hushwood.experiments.tree_builders.tree_builders import TABLES, measure
from hushwood.experiments.tree_builders.verdict import sides

EVERY = ["segments", *(what for signs in sides().values() for what in signs)]


def outcomes(tables: tuple[str, ...]) -> dict[str, dict[str, object]]:
    """See5 has a little more of everything than the others."""
    ways = {way: dict.fromkeys(EVERY, 0.5 if way == "see5" else 0.25) for way in WAYS}
    return {f"{table} {n}": {"table": table, "run": n, "ways": ways} for table in tables for n in range(3)}


def test_the_better_one_is_bold() -> None:
    lines = builder_table(measure(outcomes(TABLES))).splitlines()
    assert lines[0] == "|  | adult | wbc | crx | cmc | abalone |"
    rows = {line.split(" | ")[0].removeprefix("| "): line.split(" | ")[1] for line in lines[2:]}
    assert rows["segments"] == "0.2 / 0.5"
    assert rows["EDUDS, reader see5"] == "0.250 / **0.500**"
    assert rows["records alone in their segment, %"] == "**25.00** / 50.00"
    assert rows["accuracy on unseen records, reader c45, %"] == "25.0 / **50.0**"
    assert rows["SERS"] == "0.2500 / **0.5000**"
    assert rows["leaves of one tree"] == "–"
    assert len(rows) == 4 + 8 + 7


def test_tables_that_were_not_run_are_left_open() -> None:
    line = builder_table(measure(outcomes(("crx",)))).splitlines()[2]
    assert line == "| segments | – | – | 0.2 / 0.5 | – | – |"


def test_the_score_counts_pairs() -> None:
    assert score_table(measure(outcomes(TABLES)), "c45").splitlines() == [
        "| pairs | ahead | behind | undecided |",
        "| --- | --- | --- | --- |",
        "| utility | 40 | 0 | 0 |",
        "| risk | 15 | 20 | 0 |",
    ]
