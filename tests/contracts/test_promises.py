"""Every technique keeps the promise it declares, and the certificate finds every kind of loss."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

from hushwood.arrays import Array
from hushwood.errors import BrokenCertificate, HushwoodError
from hushwood.jobs.release import Release, ReleaseRequest, release
from hushwood.jobs.verify import verify
from hushwood.random_streams import Streams
from hushwood.releasing.certificate import Claims, certify
from hushwood.releasing.perturb import PerturbOptions
from hushwood.releasing.plan import Plan, Step
from hushwood.segments.partition import intersections
from hushwood.tables.formats import files
from hushwood.tables.frames.storage import frame_from_table
from hushwood.tables.reading import Reading, read
from hushwood.tables.table import Table
from hushwood.techniques.laws.joint import LawPerturber
from hushwood.techniques.protocol import Technique
from hushwood.trees.forest import Forest
from hushwood.trees.model_file import forest_to_json
from support.mixed_tables import grown_forest, mixed_table, with_smoker
from support.people_files import SEED, contents, people
from support.technique_variants import VARIANTS, prepared, released_by

STREAMS = Streams(bytes(range(32)))
ROWS = 160


@pytest.fixture(scope="module")
def table() -> Table:
    return with_smoker(mixed_table(11, 700))


@pytest.fixture(scope="module")
def forest(table: Table) -> Forest:
    return grown_forest(table, min_leaf=8)


@pytest.mark.parametrize("technique", VARIANTS.values(), ids=VARIANTS)
def test_every_technique_keeps_its_promise(technique: Technique, table: Table, forest: Forest) -> None:
    segments = intersections(table, forest)
    steps = prepared(technique, table, segments)
    names = tuple(name for step in steps for name in step.perturber.attributes)
    plan = Plan("alone", "leaves", (Step(technique, names),), 1)
    released = frame_from_table(released_by(technique, table, segments, STREAMS))
    promises = plan.promises(table.schema)
    found = certify(table, released, forest_to_json(forest), Claims(technique.keeps_segment, promises))
    found.check()
    assert found.columns is not None
    assert {name: said["gaps"] for name, said in found.columns.items()} == {
        column.name: column.null_count() for column in released
    }


def frame_with_gaps() -> pl.DataFrame:
    """People with gaps in a number and a category, a column that is carried along, and one that must not go out."""
    names = ("age", "score", "group", "ill")
    cells = dict(zip(names, zip(*people(ROWS), strict=True), strict=True))
    row = pl.int_range(ROWS)
    return pl.DataFrame(cells).select(
        age=pl.col("age").cast(pl.Int64),
        score=pl.when(row % 9 != 4).then(pl.col("score").cast(pl.Float64)),
        group=pl.when(row % 7 != 3).then("group"),
        sex=pl.when(row % 2 == 0).then(pl.lit("f")).otherwise(pl.lit("m")),
        note=pl.format("note {}", row),
        person=pl.format("p{}", row),
        ill=pl.col("ill"),
    )


@pytest.fixture(params=[".csv", ".parquet", ".arrow"])
def reading(request: pytest.FixtureRequest, tmp_path: Path) -> Reading:
    path = tmp_path / f"people{request.param}"
    files.write_frame(frame_with_gaps(), path)
    return read(path, target="ill", roles={"note": "ignored", "person": "identifier"})


def released(reading: Reading, folder: Path, technique: str = "forest-framework", **more: Any) -> Release:
    options = PerturbOptions(technique=technique, min_leaf=10, **more)
    keep = dict.fromkeys(reading.table.schema.in_role("ignored"), "invented")
    request = ReleaseRequest(options=options, output=folder, seed=SEED, evidence="none", keep=keep)
    return release(reading, request)


Damage = Callable[[Array], None]


def all_missing(values: Array) -> None:
    values[:] = np.nan if values.dtype.kind == "f" else -1


def one_outside(values: Array) -> None:
    values[np.flatnonzero(~np.isnan(values))[5]] = 1e6


def one_gap_moved(values: Array) -> None:
    gap, other = (np.flatnonzero(np.isnan(values) == missing)[0] for missing in (True, False))
    values[gap], values[other] = values[other], values[gap]


def one_value_changed(values: Array) -> None:
    place = np.flatnonzero(values >= 0)[0]
    values[place] = 1 if values[place] == 0 else 0


def one_value_lost(values: Array) -> None:
    values[np.flatnonzero(values >= 0)[0]] = -1


def two_exchanged(values: Array) -> None:
    """The first record's value for that of the last one with another: the counts of the column stay."""
    other = np.flatnonzero((values != values[0]) & (values >= 0))[-1]
    values[0], values[other] = values[other], values[0]


WRONG: dict[str, tuple[str, str, Damage, str]] = {
    "numbers all missing": ("rnat", "age", all_missing, "gaps in other records"),
    "numbers outside": ("rnat", "score", one_outside, "numbers outside .*1 of 160"),
    "a gap moved": ("forest-framework", "score", one_gap_moved, "gaps in other records .*2 of 160"),
    "a number blanked": ("rankswap", "age", all_missing, "gaps in other records"),
    "a number made up": ("rankswap", "score", one_outside, "numbers outside|other counts"),
    "categories all missing": ("framework", "group", all_missing, "lost all its values"),
    "a category count changed": ("forest-framework", "group", one_value_changed, "other counts"),
    "a category lost": ("forest-framework", "sex", one_value_lost, "other counts"),
    "a class count changed": ("rpt", "ill", one_value_changed, "other counts"),
    "classes of two segments exchanged": (
        "rpt",
        "ill",
        two_exchanged,
        r"other counts .*in 2 of \d+ segments",
    ),
    "a class that its segment lacks": ("ppt", "ill", all_missing, "lost all its values|other counts"),
    "a gap where none was": ("rc", "sex", one_value_lost, "other counts"),
    "a value changed that is only to be blanked": (
        "suppress",
        "sex",
        one_value_changed,
        "other values .*1 of 160.* though it is copied",
    ),
}


@pytest.mark.parametrize(("technique", "name", "damage", "said"), WRONG.values(), ids=WRONG)
def test_a_wrong_perturber_stops_the_release(
    technique: str, name: str, damage: Damage, said: str, reading: Reading, tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    honest, before = LawPerturber.perturb, contents(tmp_path)

    def wrong(self: LawPerturber, *given: Any) -> dict[str, Array]:
        columns = {key: np.array(values) for key, values in honest(self, *given).items()}
        if name in columns:
            damage(columns[name])
        return columns

    monkeypatch.setattr(LawPerturber, "perturb", wrong)
    rules = ("age > 70 : sex",) if technique == "suppress" else ()
    with pytest.raises(BrokenCertificate, match=f"column '{name}' .*{said}") as raised:
        released(reading, tmp_path / "out", technique, suppress=rules)
    assert raised.value.exit_code == 3
    assert contents(tmp_path) == before


def wider(frame: pl.DataFrame) -> pl.DataFrame:
    return frame.with_columns(pl.col("age").cast(pl.Float64))


def as_texts(frame: pl.DataFrame) -> pl.DataFrame:
    return frame.with_columns(pl.format("about {}", "age").alias("age"))


def with_person(frame: pl.DataFrame) -> pl.DataFrame:
    return frame.with_columns(person=pl.lit("p1"))


def without_age(frame: pl.DataFrame) -> pl.DataFrame:
    return frame.drop("age")


def without_a_row(frame: pl.DataFrame) -> pl.DataFrame:
    return frame.head(-1)


def another_note(frame: pl.DataFrame) -> pl.DataFrame:
    return frame.with_columns(pl.col("note").shift(1, fill_value="note 0"))


def another_copy(frame: pl.DataFrame) -> pl.DataFrame:
    return frame.with_columns(pl.col("score").reverse())


FALSE_FILES: dict[str, tuple[Callable[[pl.DataFrame], pl.DataFrame], str]] = {
    "a type changed": (wider, "column 'age' was written as Float64 and not as Int64"),
    "numbers as texts": (as_texts, "column 'age' was written as String"),
    "an identifier goes out": (with_person, "the file has other columns"),
    "a column is lost": (without_age, "the file has other columns"),
    "a record is lost": (without_a_row, "the file has 159 records instead of 160"),
    "a carried column differs": (another_note, "column 'note' has other values"),
    "a copied column differs": (another_copy, "column 'score' has (gaps|other values)"),
}


@pytest.mark.parametrize(("change", "said"), FALSE_FILES.values(), ids=FALSE_FILES)
def test_a_wrong_file_stops_the_release(
    change: Callable[[pl.DataFrame], pl.DataFrame],
    said: str,
    reading: Reading,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    honest, before = files.write_frame, contents(tmp_path)

    def careless(frame: pl.DataFrame, path: Path, **how: Any) -> None:
        honest(change(frame), path, **how)

    monkeypatch.setattr(files, "write_frame", careless)
    # A control claims no kept rules, but its columns make promises all the same.
    with pytest.raises(BrokenCertificate, match=said):
        released(reading, tmp_path / "out", "rc")
    assert contents(tmp_path) == before


def test_a_release_and_its_verification_say_the_same(reading: Reading, tmp_path: Path) -> None:
    done = released(reading, tmp_path / "out", suppress=("age > 70 : group",))
    columns = done.certificate["columns"]
    gaps = frame_with_gaps().null_count().row(0, named=True)
    assert columns["age"] == {"missing": "same", "values": "inside", "gaps": 0}
    assert columns["score"] == {"missing": "same", "values": "inside", "gaps": gaps["score"]}
    assert columns["ill"] == {"missing": "dealt", "values": "dealt", "within": "segment", "gaps": 0}
    assert columns["note"] == {"missing": "same", "values": "same", "gaps": 0}
    assert (columns["group"]["missing"], columns["group"]["gaps"] > gaps["group"]) == ("any", True)
    assert "person" not in columns
    assert reading.path is not None
    found = verify(tmp_path / "out", reading.path)
    assert found.holds
    assert found.certificate == done.certificate


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize(
    ("low", "high", "noise"), [(-1.7e308, 1.7e308, 1 / 3), (0.0, 1e308, 100.0)], ids=["range", "noise"]
)
def test_numbers_that_overflow_are_not_released_as_gaps(
    low: float, high: float, noise: float, tmp_path: Path
) -> None:
    """The fault that the promises were made for: every number went out missing, and the certificate held."""
    share = np.random.default_rng(1).random(ROWS)
    wide = pl.Series("wide", (1 - share) * low + share * high)
    frame = frame_with_gaps().with_columns(wide).drop("note", "person")
    try:
        done = released(read(frame, target="ill"), tmp_path / "out", noise=noise)
    except HushwoodError:
        assert not (tmp_path / "out").exists()
    else:
        assert done.frame["wide"].is_finite().all()
        assert done.frame["wide"].null_count() == 0
