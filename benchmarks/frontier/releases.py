"""A table released by one contender: as a frame in the order of the slots, with the share of kept segments."""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from frontier.contenders import Contender
from frontier.records import columns_of
from frontier.tables import Split
from hushwood.random_streams import Streams

if TYPE_CHECKING:
    import polars as pl

PEER_SCRIPTS = Path(__file__).parent / "peer_scripts"
PEER_SECONDS = 600


@dataclass(frozen=True)
class Released:
    """What a contender made, how long it took, and the share of people still in their segment, if it has any."""

    frame: pl.DataFrame
    seconds: float
    kept: float | None = None


def release(contender: Contender, split: Split, key: bytes) -> Released:
    """Let the contender release the people of a split; a recipe that cannot work on the table raises InputError."""
    start = time.perf_counter()
    if contender.peer:
        frame, kept = _by_peer(contender, split, key), None
    elif contender.technique:
        return _by_recipe(contender, split, key)
    else:
        frame, kept = _control(contender.name, split, key), None
    return Released(frame, time.perf_counter() - start, kept)


def _by_recipe(contender: Contender, split: Split, key: bytes) -> Released:
    """As the release job does it, but the rows stay in the order of the slots, which a release would keep secret."""
    from hushwood.releasing.certificate import Claims, certify
    from hushwood.releasing.perturb import PerturbOptions, perturb
    from hushwood.tables.frames.table_frames import released_frame
    from hushwood.tables.reading import read
    from hushwood.tables.table import with_present_categories
    from hushwood.trees.model_file import forest_to_json

    table = with_present_categories(read(split.frame, target=split.target).table)
    options = PerturbOptions(technique=contender.technique, threads=1, **contender.options)
    start = time.perf_counter()
    done = perturb(table, options, Streams(key))
    seconds = time.perf_counter() - start
    frame = released_frame(done.table)
    model = json.loads(json.dumps(forest_to_json(done.forest)))
    checked = certify(table, frame, model, Claims(False))
    return Released(frame, seconds, checked.kept / checked.records)


def _control(name: str, split: Split, key: bytes) -> pl.DataFrame:
    """The untouched table, a bootstrap sample of it, or even draws from ranges of numbers and levels of categories."""
    import polars as pl

    streams, rows = Streams(key), split.frame.height
    if name == "untouched":
        return split.frame
    if name == "bootstrap":
        return split.frame[
            np.floor(rows * streams.uniform("frontier bootstrap", "", 0, range(rows))).astype(np.int64)
        ]
    drawn: dict[str, pl.Series] = {}
    for column in split.frame.iter_columns():
        u = streams.uniform("frontier noise", column.name, 0, range(rows))
        known = column.unique().sort()
        if column.dtype.is_numeric():
            values = known.cast(pl.Float64).to_numpy()
            drawn[column.name] = pl.Series(values[0] + u * (values[-1] - values[0]))
        else:
            drawn[column.name] = known[np.floor(u * len(known)).astype(np.int64)]
    return pl.DataFrame(drawn)


def _by_peer(contender: Contender, split: Split, key: bytes) -> pl.DataFrame:
    """A script in the peer's own environment reads a CSV file and writes another."""
    import polars as pl

    columns = columns_of(split.frame, split.target)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        split.frame.write_csv(folder / "in.csv")
        categories = [*columns.categories, split.target]
        about = {
            "categories": categories,
            "decimals": {number: decimals(split.frame[number]) for number in columns.numbers},
            "seed": int.from_bytes(key[:4], "big"),
        }
        (folder / "about.json").write_text(json.dumps(about), "utf-8")
        script = PEER_SCRIPTS / f"{contender.peer}.py"
        done = subprocess.run(
            [os.environ[contender.variable], str(script), str(folder)],
            capture_output=True,
            text=True,
            check=False,
            timeout=PEER_SECONDS,
        )
        if done.returncode:
            last = (done.stderr.splitlines() or ["it printed nothing"])[-1]
            raise RuntimeError(f"{contender.name} ended with code {done.returncode}: {last}")
        texts = dict.fromkeys(categories, pl.String)
        return pl.read_csv(folder / "out.csv", schema_overrides=texts, infer_schema_length=None)


def decimals(column: pl.Series) -> int:
    """The smallest number of decimals, up to 12, that holds all values."""
    import polars as pl

    values = column.cast(pl.Float64).to_numpy()
    return next((p for p in range(12) if np.allclose(np.round(values, p), values, rtol=0, atol=1e-12)), 12)
