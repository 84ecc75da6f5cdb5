"""A published tree with K = 5: of Adult against 3 s, of 1,000,000 × 10 against 60 s, and how time grows with records.

Half of the million's columns have one decimal, half are continuous. scikit-learn grows one tree with as many leaves,
and nothing else; ours also generalises the table after every split, counts its groups and grows the tree again from
the release. anjana's k-anonymity of Adult by seven quasi-identifiers, with records suppressed where it must, asks for
an older pandas: HUSHWOOD_ANJANA names the interpreter of an environment that has it (`python -m venv V; V/bin/pip
install anjana`). Without it ours is measured alone. Its hierarchies are our own small ones, and it neither grows nor
keeps a tree. Of the whole command on Adult about two seconds go into loading Python libraries and compiled loops. The
lines of ten leaves ask for K = 1, so that no split is barred and tables of all sizes get trees of one size.
"""

from __future__ import annotations

import os
import statistics
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from attacks_vs_anonymeter import adult_file
from lines import Limit, Line, faster, limited, within, without_peer
from measuring import Measured, command, contender, hushwood_command, report, run_process, timed

if TYPE_CHECKING:
    import polars as pl

    from hushwood.tables.table import Table

K = 5
ADULT_SECONDS, MILLION_SECONDS = 3.0, 60.0
SIZES = (10_000, 100_000, 1_000_000)
# Of all trees that time is compared over; with K = 1 none is barred, so that the work is the same.
LEAVES = 10
SEED = 20
REPEATS_OF_A_MILLION = 3
AT_LEAST_ANJANA, AT_MOST_SKLEARN, AT_MOST_EXPONENT = 1.0, 3.0, 1.2
SENSITIVE = "occupation"
ANJANA_KNOWN = ("age", "education", "marital-status", "relationship", "race", "sex", "native-country")


def compare() -> list[Line]:
    return [*_adult(), *_million()]


def _adult() -> list[Line]:
    if not adult_file().exists():
        print("Adult is left out: set HUSHWOOD_DATA to the folder of adult/adult.csv.", file=sys.stderr)
        return []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        whole = command(lambda n: _publish_command(adult_file(), "income", folder / f"{n}", SENSITIVE))
        job = contender(__file__, "job", str(folder / "job"))
    what = f"hushwood publish-tree of Adult, K = {K}"
    return [
        limited(f"{what}, Python loaded", job, ADULT_SECONDS),
        limited(f"{what}, the whole command", whole, ADULT_SECONDS),
        _beside_anjana(),
    ]


def _beside_anjana() -> Line:
    ours, what = contender(__file__, "adult"), f"K = {K} of Adult in memory, against anjana"
    interpreter = os.environ.get("HUSHWOOD_ANJANA")
    if not interpreter:
        why = "HUSHWOOD_ANJANA does not name the interpreter of an environment with anjana."
        return without_peer(what, ours, Limit("at least", AT_LEAST_ANJANA), why)
    peer = contender(__file__, "anjana", interpreter=interpreter)
    kept = f"anjana kept {peer.facts['records']:,} of {ours.facts['records']:,} records, ours all of them"
    return replace(faster(what, ours, peer, AT_LEAST_ANJANA), note=kept)


def _million() -> list[Line]:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        contender(__file__, "make", str(folder / "million.parquet"))
        # One run: it may take most of a minute.
        _, seconds, peak = run_process(_publish_command(folder / "million.parquet", "class", folder / "out"))
    size = f"{SIZES[-1]:,} × 10"
    found = [contender(__file__, "rows", str(rows)) for rows in SIZES]
    sklearn = contender(__file__, "sklearn", str(found[-1].facts["leaves"]))
    slope = _exponent([one.seconds for one in found])
    used = [one.facts["processor"] for one in found]
    shown = " · ".join(f"{rows:,}: {one.seconds:.2f} s" for rows, one in zip(SIZES, found, strict=True))
    note = f"{shown}; by processor time, which others on the machine hardly change, n^{_exponent(used):.2f}"
    return [
        limited(
            f"hushwood publish-tree of {size}, K = {K}, the whole command",
            Measured((seconds,), peak),
            MILLION_SECONDS,
        ),
        within(
            f"{LEAVES} leaves of {size} in memory, K = 1, against scikit-learn's tree alone",
            found[-1],
            sklearn,
            AT_MOST_SKLEARN,
        ),
        Line(
            f"growth in records, {LEAVES} leaves, K = 1, against linear",
            f"n^{slope:.2f}",
            "n^1",
            slope,
            Limit("at most", AT_MOST_EXPONENT),
            found[-1].peak_bytes,
            note,
        ),
    ]


def _publish_command(table: Path, target: str, folder: Path, sensitive: str | None = None) -> list[str]:
    declared = ["--sensitive", sensitive] if sensitive else []
    asked = ["--class", target, "-k", str(K), *declared, "--quiet", "-o", str(folder)]
    return [hushwood_command(), "publish-tree", str(table), *asked]


def _exponent(seconds: list[float]) -> float:
    from hushwood_papers.published_trees.results import exponent

    return exponent(SIZES, seconds)


def frame(rows: int) -> pl.DataFrame:
    """The first records of tree_vs_sklearn's million, every other column with one decimal."""
    import numpy as np
    import polars as pl
    from tree_vs_sklearn import data

    x, y = data(SEED)
    columns = {f"x{j}": np.round(x[:rows, j], 1) if j % 2 else x[:rows, j] for j in range(x.shape[1])}
    return pl.DataFrame(columns).with_columns(pl.Series("class", y[:rows]).cast(pl.String))


def publish_and_check(table: Table, k: int = K, leaves: int | None = None) -> dict[str, Any]:
    """Publish in memory and grow the tree again from the release."""
    from hushwood.tree_publishing.options import PublishOptions
    from hushwood.tree_publishing.publish import publish
    from hushwood.tree_publishing.rebuild import first_difference

    published = publish(table, PublishOptions(k=k, max_leaves=leaves))
    assert first_difference(published.forest, published.table) is None
    return {"leaves": len(published.forest.trees[0].leaves), "k": published.k, "records": table.rows}


def adult() -> None:
    import polars as pl

    from hushwood.tables.reading import read

    complete = pl.read_csv(adult_file()).drop_nulls()
    table = read(complete, target="income", roles={SENSITIVE: "confidential"}).table
    report(timed(lambda: publish_and_check(table)), **publish_and_check(table))


def job(folder: str) -> None:
    import hushwood as hw

    def work() -> object:
        return hw.publish_tree(
            adult_file(), target="income", k=K, sensitive=SENSITIVE, output=folder, force=True
        )

    report(timed(work))


def rows(count: int) -> None:
    import numpy as np

    from hushwood.tables.reading import read

    table = read(frame(count), target="class").table
    publish_and_check(table.take(np.arange(min(count, SIZES[0]))), 1, LEAVES)  # compiles
    seconds, used = [], []
    for _ in range(REPEATS_OF_A_MILLION):
        start, began = time.perf_counter(), time.process_time()
        facts = publish_and_check(table, 1, LEAVES)
        assert facts["leaves"] == LEAVES
        seconds.append(time.perf_counter() - start)
        used.append(time.process_time() - began)
    report(seconds, processor=statistics.median(used), **facts)


def sklearn(leaves: int) -> None:
    import numpy as np
    from sklearn.tree import DecisionTreeClassifier

    found = frame(SIZES[-1])
    x = np.ascontiguousarray(found.drop("class").to_numpy(), dtype=np.float32)
    y = found["class"].to_numpy()
    model = DecisionTreeClassifier(criterion="entropy", max_leaf_nodes=leaves, random_state=0)
    start = time.perf_counter()
    model.fit(x, y)
    # One run: it takes most of half a minute.
    report([time.perf_counter() - start], leaves=int(model.tree_.n_leaves))


def anjana() -> None:
    import pandas as pd
    from anjana.anonymity import k_anonymity

    table = pd.read_csv(adult_file()).dropna().reset_index(drop=True)
    # Ages in bands, and all other values known or not: the small hierarchies that anybody can write.
    levels = {name: _known_or_not(table[name]) for name in ANJANA_KNOWN if name != "age"}
    ages = pd.Series(sorted(table["age"].unique()))
    bands = {i + 1: (ages // width * width).astype(str) for i, width in enumerate((5, 10, 20, 40))}
    levels["age"] = {0: ages, **bands, len(bands) + 1: pd.Series(["*"] * len(ages))}
    start = time.perf_counter()
    released = k_anonymity(table, [], list(ANJANA_KNOWN), K, 50, levels)
    # One run: it takes a second to a minute.
    report([time.perf_counter() - start], records=len(released))


def _known_or_not(column: Any) -> dict[int, Any]:
    import pandas as pd

    values = pd.Series(sorted(column.unique()))
    return {0: values, 1: pd.Series(["*"] * len(values))}


if __name__ == "__main__":
    if sys.argv[1] == "make":
        frame(SIZES[-1]).write_parquet(sys.argv[2])
        report([0.0])
    elif sys.argv[1] in {"rows", "sklearn"}:
        {"rows": rows, "sklearn": sklearn}[sys.argv[1]](int(sys.argv[2]))
    elif sys.argv[1] == "job":
        job(sys.argv[2])
    else:
        {"adult": adult, "anjana": anjana}[sys.argv[1]]()
