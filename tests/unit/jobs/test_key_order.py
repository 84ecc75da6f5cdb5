from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

from hushwood.errors import InputError
from hushwood.jobs.audit import audit
from hushwood.jobs.judging_requests import AuditRequest, VerifyRequest
from hushwood.jobs.key_order import with_row_key
from hushwood.jobs.release import Release, release_any
from hushwood.jobs.requests import InputOptions, ReleaseRequest
from hushwood.jobs.verify import verify
from hushwood.releasing.options import PerturbOptions

ROWS, SEED = 600, "5a" * 32


def people(rows: int = ROWS) -> pl.DataFrame:
    chance = np.random.default_rng(11)
    age = chance.integers(18, 90, rows)
    return pl.DataFrame(
        {
            "person": [f"N{number:05}" for number in chance.permutation(rows)],
            "age": age,
            "pay": np.round(chance.gamma(3, 900, rows), 2),
            "town": chance.choice(["Ulm", "Bonn", "Trier"], rows).tolist(),
            "ill": np.where(age + chance.normal(0, 12, rows) > 60, "yes", "no").tolist(),
        }
    )


def released(
    source: object, output: Path | None = None, technique: str = "forest-framework", **more: object
) -> Release:
    settings = {"engine": more.pop("engine", "auto"), "chunk_rows": more.pop("chunk_rows", None)}
    settings |= {"forest_rows": more.pop("forest_rows", 200_000)}
    settings |= {"redraw": more.pop("redraw", 0)}
    options = PerturbOptions(technique, threads=2, **settings)  # type: ignore[arg-type]
    request = ReleaseRequest(options, output, seed=SEED, row_key="person", evidence="none", reuse_key=True)
    return release_any(source, InputOptions().arguments("ill"), request)


def by_person(source: pl.DataFrame, done: Release) -> pl.DataFrame:
    """The released rows, each beside the person it was made from."""
    assert done.folder is not None
    rows = np.load(done.folder / "private" / "row_order.npy")
    frame: pl.DataFrame = done.frame
    return frame.with_columns(source["person"].gather(rows)).sort("person")


@pytest.mark.parametrize("technique", ["forest-framework", "segment-shuffle", "extended-framework", "swap"])
def test_values_follow_the_person_in_any_order_and_on_every_engine(tmp_path: Path, technique: str) -> None:
    there, back = people(), people()[::-1]
    there.write_csv(tmp_path / "there.csv")
    back.write_parquet(tmp_path / "back.parquet")
    first = released(tmp_path / "there.csv", tmp_path / "a", technique, engine="memory", forest_rows=400)
    wanted = by_person(there, first)
    again = released(
        tmp_path / "back.parquet",
        tmp_path / "b",
        technique,
        engine="streaming",
        chunk_rows=70,
        forest_rows=400,
    )
    assert by_person(back, again).equals(wanted.select(by_person(back, again).columns))
    in_memory = released(
        tmp_path / "back.parquet", tmp_path / "c", technique, engine="memory", forest_rows=400
    )
    assert in_memory.frame.equals(again.frame)
    assert "person" not in first.frame.columns


def test_the_same_people_are_drawn_in_any_order_and_on_every_engine(tmp_path: Path) -> None:
    """And go out in the same order, in which nobody can be found again."""
    people().write_csv(tmp_path / "there.csv")
    people()[::-1].write_parquet(tmp_path / "back.parquet")
    frames = []
    ways: list[tuple[str, dict[str, Any]]] = [
        ("there.csv", {"engine": "memory"}),
        ("back.parquet", {"engine": "memory"}),
        ("back.parquet", {"engine": "streaming", "chunk_rows": 70}),
        ("there.csv", {"engine": "streaming", "chunk_rows": 233}),
    ]
    for number, (name, how) in enumerate(ways):
        done = released(
            tmp_path / name, tmp_path / f"{number}", "segment-shuffle", redraw=1, forest_rows=400, **how
        )
        assert not any("row_order" in path.name for path in (tmp_path / f"{number}").rglob("*"))
        frames.append(done.frame.select("age", "pay", "town", "ill"))
    assert all(frame.equals(frames[0]) for frame in frames)


@pytest.mark.parametrize(
    ("technique", "redraw"), [("forest-framework", 0), ("segment-shuffle", 0), ("segment-shuffle", 1)]
)
def test_a_release_by_key_can_be_verified(tmp_path: Path, technique: str, redraw: float) -> None:
    people().write_csv(tmp_path / "people.csv")
    for engine in ("memory", "streaming"):
        done = released(tmp_path / "people.csv", tmp_path / engine, technique, engine=engine, redraw=redraw)
        assert done.certificate["kept"] == ROWS
        for memory in (2_000_000_000, 1):
            found = verify(
                tmp_path / engine, tmp_path / "people.csv", VerifyRequest(memory=memory, threads=2)
            )
            assert found.holds
            assert found.certificate is not None
            assert found.certificate["kept"] == ROWS


@pytest.mark.parametrize("forest_rows", [300, 10_000])
def test_a_release_by_key_can_be_audited(tmp_path: Path, forest_rows: int) -> None:
    people().write_csv(tmp_path / "people.csv")
    released(tmp_path / "people.csv", tmp_path / "out", forest_rows=forest_rows)
    only = ("unchanged_cells", "correlations")
    found = [
        audit(tmp_path / "people.csv", tmp_path / "out", AuditRequest(only=only, memory=memory, threads=2))
        for memory in (2_000_000_000, 1)
    ]
    for each in found:
        # Towns alone would stay the same in one of three rows that are paired at random.
        assert 0.3 < each["unchanged_cells"].value < 1
        assert each.evaluation.pairing != "none"


def test_the_manifest_does_not_name_the_key_and_the_plan_does(tmp_path: Path) -> None:
    people().write_csv(tmp_path / "people.csv")
    for engine in ("memory", "streaming"):
        released(tmp_path / "people.csv", tmp_path / engine, engine=engine)
        (shared,) = (tmp_path / engine).glob("*/manifest.json")
        assert "person" not in shared.read_text()
        assert json.loads(shared.read_text())["rows_identified_by"] == "a key column"
        assert json.loads((tmp_path / engine / "private" / "plan.json").read_text())["row_key"] == "person"


def test_a_frame_can_have_a_row_key() -> None:
    frame = people()
    first, second = released(frame), released(frame[::-1])
    assert first.row_order is not None
    assert second.row_order is not None
    assert first.frame.equals(second.frame)
    assert frame["person"].gather(first.row_order).equals(frame[::-1]["person"].gather(second.row_order))


@pytest.mark.parametrize("engine", ["memory", "streaming"])
def test_a_key_that_repeats_is_refused(tmp_path: Path, engine: str) -> None:
    pl.concat([people(), people()[:1]]).write_csv(tmp_path / "people.csv")
    with pytest.raises(InputError, match="'person' cannot be the row key"):
        released(tmp_path / "people.csv", tmp_path / "out", engine=engine)
    assert not (tmp_path / "out").exists()


def test_the_key_is_an_identifier_unless_it_has_a_role() -> None:
    assert with_row_key({"target": "ill"}, "id")["roles"] == {"id": "identifier"}
    assert with_row_key({"target": ("id",)}, "id")["roles"] == {}
    assert with_row_key({"roles": {"id": "ignored"}}, "id")["roles"] == {"id": "ignored"}
    assert "roles" not in with_row_key({}, None)
