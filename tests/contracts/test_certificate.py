"""The certificate: all records kept on every table by every release that claims it, and a moved value is found."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn import datasets

from hushwood.demo.synthetic_tables import credit_risk, customer_status
from hushwood.errors import BrokenCertificate
from hushwood.jobs.release import Release, ReleaseRequest, release
from hushwood.releasing import certificate as certificates
from hushwood.releasing.certifying.records import Routes, compared
from hushwood.releasing.perturb import PerturbOptions
from hushwood.releasing.recipes import CORRELATED
from hushwood.tables.formats import files
from hushwood.tables.frames.storage import frame_from_table
from hushwood.tables.reading import Reading, read
from hushwood.tables.schema import Attribute, Schema
from hushwood.trees.model_file import forest_from_json, forest_to_json
from hushwood.trees.routing import leaf_of_each
from support.mixed_tables import mixed_table, random_model
from support.people_files import contents, write_people
from support.real_data import data_folder, existing

SEED = "c" * 64
PUBLIC = ("wbc", "crx", "cmc", "wine", "abalone", "adult")
BUNDLED = {name: getattr(datasets, f"load_{name}") for name in ("iris", "wine", "breast_cancer")}
GENERATED = {"credit_risk": credit_risk, "customer_status": customer_status}
CONTROLS = ("random-framework", "random-extended-framework", "rt", "rnat", "rc", "gadp", "shuffle", "mdav")
SYNTHESES = ("cart-synthesis", "forest-synthesis", "copula-synthesis")

FRAMEWORKS = (
    *("forest-framework", "framework", "forest-extended-framework", "extended-framework"),
    "segment-shuffle",
)
each_framework = pytest.mark.parametrize("technique", FRAMEWORKS)
each_way = pytest.mark.parametrize("correlated", CORRELATED)


def public_table(name: str) -> Reading:
    """A public table as a careful owner declares it: identifiers dropped, coded categories named, gaps kept."""
    described = tomllib.loads(existing(data_folder() / "tables.toml").read_text("utf-8"))[name]
    path = existing(data_folder() / described["file"])
    schema = Schema(
        tuple(Attribute(column, "categorical", storage="String") for column in described["categorical"])
    )
    return read(
        path,
        target=described["class"],
        schema=schema,
        roles=dict.fromkeys(described["identifiers"], "identifier"),
    )


def certified(reading: Reading, technique: str, folder: Path, **options: Any) -> Release:
    if technique == "segment-shuffle":
        # Which classes go where does not matter here, and the tree is fast; small segments, so that there are some.
        options = {"teacher": "tree", "k": 20, **options}
    request = ReleaseRequest(
        options=PerturbOptions(technique=technique, **options),
        output=folder / "out",
        seed=SEED,
        evidence="none",
    )
    return release(reading, request)


def all_kept(done: Release, records: int) -> None:
    found = done.certificate
    assert found["claimed"]
    assert found["records"] == found["kept"] == records
    assert found["per_tree"] == [records] * len(done.forest.trees)
    assert max(len(tree) for tree in done.forest.trees) > 1


@each_framework
@pytest.mark.parametrize("name", PUBLIC)
def test_public_tables(name: str, technique: str, tmp_path: Path) -> None:
    reading = public_table(name)
    done = certified(reading, technique, tmp_path)
    all_kept(done, reading.table.rows)
    assert len(done.forest.trees) == (3 if technique.startswith("forest") else 1)


@each_framework
@pytest.mark.parametrize("load", BUNDLED.values(), ids=BUNDLED)
def test_bundled_tables(load: Callable[..., dict[str, object]], technique: str, tmp_path: Path) -> None:
    frame = load(as_frame=True)["frame"]
    done = certified(read(frame, target="target"), technique, tmp_path)
    all_kept(done, len(done.frame))
    assert done.frame.dtypes.equals(frame.dtypes)  # type: ignore[attr-defined]


@each_framework
@pytest.mark.parametrize("generate", GENERATED.values(), ids=GENERATED)
def test_generated_tables(generate: Callable[[int, bytes], object], technique: str, tmp_path: Path) -> None:
    all_kept(certified(read(generate(1000, bytes(32))), technique, tmp_path), 1000)


@each_way
@pytest.mark.parametrize("name", ["wbc", "wine", "crx", "abalone"])
def test_numbers_drawn_together_keep_every_record(name: str, correlated: str, tmp_path: Path) -> None:
    reading = public_table(name)
    done = certified(reading, "forest-extended-framework", tmp_path, correlated=correlated)
    all_kept(done, reading.table.rows)


@each_way
def test_numbers_drawn_together_in_tables_full_of_gaps(correlated: str, tmp_path: Path) -> None:
    for seed in range(3):
        reading = read(mixed_table(seed, 300))
        done = certified(reading, "forest-extended-framework", tmp_path / str(seed), correlated=correlated)
        assert done.certificate["kept"] == 300


def test_tables_full_of_gaps(tmp_path: Path) -> None:
    for seed in range(5):
        reading = read(mixed_table(seed, 300))
        done = certified(reading, "forest-framework", tmp_path / str(seed))
        assert done.certificate["kept"] == 300


@pytest.mark.parametrize("technique", SYNTHESES)
def test_syntheses_claim_nothing_and_count_records_that_can_be_matched(
    technique: str, tmp_path: Path
) -> None:
    reading = read(credit_risk(1000, bytes(32)))
    done = certified(reading, technique, tmp_path)
    found = done.certificate
    assert (found["claimed"], found["paired"]) == (False, False)
    # Most records find a match in their leaf, though few are in the leaf of the record in their row.
    assert 800 < found["kept"] < 1000
    same_row = certificates.certify(
        reading.table, done.frame, forest_to_json(done.forest), certificates.Claims(False)
    )
    assert same_row.kept < 600
    assert {said["missing"] for said in found["columns"].values()} == {"drawn"}
    assert {said["values"] for said in found["columns"].values()} <= {"held", "inside"}


@pytest.mark.parametrize("technique", CONTROLS)
def test_controls_claim_nothing_and_report_what_was_kept(technique: str, tmp_path: Path) -> None:
    found = certified(read(credit_risk(1000, bytes(32))), technique, tmp_path).certificate
    assert not found["claimed"]
    assert 0 < found["kept"] < found["records"]


def test_literal_capt_claims_nothing(tmp_path: Path) -> None:
    reading = read(customer_status(2000, bytes(32)))
    found = certified(reading, "framework", tmp_path, capt="literal").certificate
    assert not found["claimed"]
    assert found["kept"] < found["records"]


def a_value_out_of_its_box(frame: pl.DataFrame, done: Release) -> tuple[str, int, float]:
    """The column of the first numeric test, a row below its threshold, and a value above it."""
    tree = done.forest.trees[0]
    node = int(np.flatnonzero(np.isfinite(tree.threshold))[0])
    name = done.forest.attributes[tree.attribute[node]].name
    threshold = float(tree.threshold[node])
    inside = leaf_of_each(tree, done.forest, read(frame, target="ill").table.columns)
    assert len(np.unique(inside)) > 1
    row = int(np.flatnonzero(frame[name].to_numpy() <= threshold)[0])
    return name, row, threshold + 1


@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
def test_one_value_moved_out_of_its_box_stops_the_release(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, suffix: str
) -> None:
    table = write_people(tmp_path)
    frame = pl.read_csv(table)
    if suffix == ".parquet":
        table = tmp_path / "people.parquet"
        frame.write_parquet(table)
    reading = read(table, target="ill")
    honest = files.write_frame
    name, row, value = a_value_out_of_its_box(frame, certified(reading, "framework", tmp_path / "honest"))
    before = contents(tmp_path)

    def careless(released: pl.DataFrame, path: Path, **how: Any) -> None:
        place = pl.int_range(released.height) == row
        moved = pl.when(place).then(pl.lit(value).cast(released.schema[name])).otherwise(pl.col(name))
        honest(released.with_columns(moved.alias(name)), path, **how)

    monkeypatch.setattr(files, "write_frame", careless)
    with pytest.raises(BrokenCertificate, match="1 of 120 released records left their segment"):
        certified(reading, "framework", tmp_path)
    assert contents(tmp_path) == before


@settings(max_examples=40)
@given(seed=st.integers(0, 10**6))
def test_the_certificate_routes_as_the_trees_do(seed: int) -> None:
    """Two routers written apart agree on random forests over tables with gaps, unseen categories and odd limits."""
    table = mixed_table(seed % 7, 200)
    model = random_model(seed, table)
    for attribute in model["attributes"]:
        if attribute["kind"] == "categorical":
            attribute["values"] = list(table.schema[attribute["name"]].categories)
    forest = forest_from_json(model)
    frame = frame_from_table(table)
    routes = Routes(model, {a["name"]: a for a in model["attributes"]})
    written = {name: compared(frame, a).values for name, a in routes.tested.items()}
    for leaves in routes.leaves(table.columns, written, table.rows):
        for tree, ids, places in zip(forest.trees, routes.ids, leaves, strict=True):
            assert np.array_equal(ids[places], leaf_of_each(tree, forest, table.columns))
