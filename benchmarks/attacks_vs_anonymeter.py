"""Singling out, linkability and inference on a release of Adult, 2,000 targets each, against anonymeter's.

anonymeter asks for an older numpy, so it lives in a virtual environment of its own (`python -m venv V; V/bin/pip
install anonymeter`); HUSHWOOD_ANONYMETER names that environment's interpreter. Without it ours is measured alone. Ours
does more in its time: every variant of an attack, and ten naive guessers instead of one.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lines import Limit, Line, faster, without_peer
from measuring import contender, report, timed

if TYPE_CHECKING:
    from hushwood.attacks.protocol import Attack, Scenario
    from hushwood.tables.table import Table

TARGETS = 2_000
THREADS = 2
AT_LEAST = 5.0
WANTED = "occupation"
FIRST = ("age", "workclass", "education", "marital-status", "occupation", "relationship", "race", "sex")
SECOND = ("fnlwgt", "education-num", "capital-gain", "capital-loss", "hours-per-week", "native-country")
ATTACKS = ("singling_out", "linkability", "attribute_inference")


def compare() -> list[Line]:
    if not adult_file().exists():
        print(
            "attacks_vs_anonymeter is left out: set HUSHWOOD_DATA to the folder that holds adult/adult.csv.",
            file=sys.stderr,
        )
        return []
    interpreter = os.environ.get("HUSHWOOD_ANONYMETER")
    with tempfile.TemporaryDirectory() as folder:
        contender(__file__, "make", folder)
        return [line(attack, folder, interpreter) for attack in ATTACKS]


def line(attack: str, folder: str, interpreter: str | None) -> Line:
    what = f"{attack.replace('_', ' ')}, {TARGETS:,} targets in Adult, against anonymeter"
    ours = contender(__file__, "ours", attack)
    if not interpreter:
        why = "HUSHWOOD_ANONYMETER does not name the interpreter of an environment with anonymeter."
        return without_peer(what, ours, Limit("at least", AT_LEAST), why)
    return faster(what, ours, contender(__file__, "peer", attack, folder, interpreter=interpreter), AT_LEAST)


def adult_file() -> Path:
    return Path(os.environ.get("HUSHWOOD_DATA", "../shared/data")) / "adult" / "adult.csv"


def tables() -> tuple[Table, Table]:
    """The complete records of Adult and a release of them, both without the class; the same in every process."""
    import polars as pl

    from hushwood.random_streams import Streams
    from hushwood.releasing.perturb import PerturbOptions, perturb
    from hushwood.tables.reading import read

    frame = pl.read_csv(adult_file()).drop_nulls()
    original = read(frame, target="income").table
    released = perturb(
        original, PerturbOptions("forest-framework", threads=THREADS), Streams(bytes(32))
    ).table
    return without_class(original), without_class(released)


def without_class(table: Table) -> Table:
    from dataclasses import replace

    from hushwood.tables.schema import Schema

    schema = Schema(table.schema.inputs)
    return replace(table, schema=schema, columns={name: table.columns[name] for name in schema.names})


def make(folder: Path) -> None:
    from hushwood.tables.frames.storage import frame_from_table

    for name, table in zip(("original", "released"), tables(), strict=True):
        frame_from_table(table).write_csv(folder / f"{name}.csv")
    report([0.0])


def attack_and_scenario(name: str) -> tuple[Attack, Scenario]:
    from hushwood.attacks.attribute_inference import AttributeInference
    from hushwood.attacks.linkability import Linkability
    from hushwood.attacks.protocol import Scenario
    from hushwood.attacks.singling_out import SinglingOut

    known = tuple(column for column in (*FIRST, *SECOND) if column != WANTED)
    both: dict[str, tuple[Attack, Scenario]] = {
        "singling_out": (SinglingOut(), Scenario("", "", ())),
        "linkability": (Linkability(), Scenario("", "", FIRST, SECOND)),
        "attribute_inference": (AttributeInference(), Scenario("", "", known, wants=WANTED)),
    }
    return both[name]


def ours(name: str) -> None:
    import numpy as np

    from hushwood.attacks.judging.running import run_attack
    from hushwood.attacks.judging.targets import Trial
    from hushwood.attacks.protocol import Attacked
    from hushwood.random_streams import Streams

    original, released = tables()
    attack, scenario = attack_and_scenario(name)

    def run() -> Attacked:
        done = run_attack(
            Trial(
                attack,
                scenario,
                original,
                released,
                partner=np.arange(original.rows),
                streams=Streams(bytes(32)),
                targets=TARGETS,
                threads=THREADS,
            )
        )
        assert isinstance(done, Attacked)
        return done

    done = run()
    report(timed(run), success=done.success, attempts=done.attempts)


def peer(name: str, folder: Path) -> None:
    import pandas as pd

    warnings.simplefilter("ignore")  # it warns whenever its naive guesser does as well
    original, released = (pd.read_csv(folder / f"{which}.csv") for which in ("original", "released"))
    run_peer(name, original, released, 10)  # compiles
    start = time.perf_counter()
    results = run_peer(name, original, released, TARGETS)
    # One run: singling out takes minutes.
    report([time.perf_counter() - start], success=results.attack_rate.value)


def run_peer(name: str, original: Any, released: Any, targets: int) -> Any:
    """The peer's own attack with its naive guesser, scored; on both processors where it can use them."""
    from anonymeter.evaluators import InferenceEvaluator, LinkabilityEvaluator, SinglingOutEvaluator

    if name == "singling_out":
        singling = SinglingOutEvaluator(original, released, n_attacks=targets, n_cols=3, seed=1)
        return singling.evaluate(mode="multivariate").results()
    if name == "linkability":
        parts = list(FIRST), list(SECOND)
        linking = LinkabilityEvaluator(original, released, aux_cols=parts, n_attacks=targets, n_neighbors=1)
        return linking.evaluate(n_jobs=THREADS).results()
    known = [column for column in (*FIRST, *SECOND) if column != WANTED]
    inference = InferenceEvaluator(original, released, aux_cols=known, secret=WANTED, n_attacks=targets)
    return inference.evaluate(n_jobs=THREADS).results()


if __name__ == "__main__":
    if sys.argv[1] == "make":
        make(Path(sys.argv[2]))
    elif sys.argv[1] == "ours":
        ours(sys.argv[2])
    else:
        peer(sys.argv[2], Path(sys.argv[3]))
