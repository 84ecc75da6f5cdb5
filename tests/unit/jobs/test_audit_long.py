"""Audits in batches: the same numbers as in memory where all records are counted, and where the sample has them all."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import hushwood as hw
from hushwood.errors import InputError
from hushwood.jobs import audited_on_disk
from hushwood.jobs.audit import audit, in_batches
from hushwood.jobs.judging import AUDIT_SECRET
from hushwood.jobs.judging_requests import AuditRequest
from hushwood.random_streams import Streams

COUNTED = (
    "means_and_variances",
    "correlations",
    "distribution_distances",
    "unchanged_cells",
    "changed_classes",
)
MORE = ("exact_copies", "contingency_tables", "linkage")


def people(rows: int = 1_200) -> pl.DataFrame:
    draw = np.random.default_rng(1)
    age = draw.integers(20, 80, rows)
    ill = age + draw.normal(0, 10, rows) > 50
    return pl.DataFrame(
        {
            "id": [f"p{i}" for i in range(rows)],
            "age": age,
            "pay": np.round(draw.gamma(2, 900, rows), 1),
            "city": draw.choice(["Mel", "Syd", "Bne"], rows),
            "ill": np.where(ill, "yes", "no"),
        }
    )


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Releases by two techniques, one of which keeps the order of the rows."""
    here = tmp_path_factory.mktemp("made")
    people().write_parquet(here / "people.parquet")
    roles: Any = {"id": "identifier"}
    for name, more in (("swap", {"technique": "framework"}), ("secret", {"shuffle_rows": True})):
        options: Any = {"technique": "framework", **more, "min_leaf": 20}
        hw.release(
            here / "people.parquet",
            target="ill",
            roles=roles,
            output=here / name,
            evidence="none",
            seed="ab" * 32,
            reuse_key=True,
            **options,
        )
    return here


def judged(here: Path, released: Path, engine: str, *names: str, **more: Any) -> dict[str, Any]:
    request = AuditRequest(engine=engine, only=names, threads=1, **more)
    reading = None if released.is_dir() else {"target": "ill", "roles": {"id": "identifier"}}
    return audit(here / "people.parquet", released, request, reading).document


def numbers(document: dict[str, Any]) -> dict[str, Any]:
    return {entry["name"]: entry.get("value", entry.get("success")) for entry in document["measures"]}


def table_in(folder: Path) -> Path:
    return next(folder.glob("*/released.parquet"))


def test_the_whole_table_as_the_sample_gives_the_audit_in_memory(made: Path) -> None:
    long, plain = (judged(made, made / "swap", engine, *COUNTED, *MORE) for engine in ("streaming", "memory"))

    assert "sample" not in long["release"]
    assert long["measures"] == plain["measures"]
    assert long["attacks"] == plain["attacks"]
    assert long["pairing"] == plain["pairing"] == "rows"


def test_counts_are_those_of_all_records_though_a_sample_is_judged(
    made: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    released = table_in(made / "swap")
    plain = judged(made, released, "memory", *COUNTED)
    monkeypatch.setattr(audited_on_disk, "MOST_RECORDS", 300)
    long = judged(made, released, "streaming", *COUNTED, "contingency_tables")

    assert long["release"]["sample"] == {"records": 300, "of": 1200, "exact": list(COUNTED)}
    assert (long["release"]["records"], long["audit"]["records"]) == (1200, 300)
    found = numbers(long)
    for name, value in numbers(plain).items():
        assert found[name] == pytest.approx(value, rel=1e-9)
    cells = {entry["name"]: entry["details"] for entry in long["measures"]}["unchanged_cells"]
    assert cells["cells"] == 4 * 1200
    assert "a random sample of 300 of the original's 1,200 records" in " ".join(long["release"]["warnings"])


def test_a_number_of_a_sample_has_an_interval_and_a_counted_one_has_none(
    made: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(audited_on_disk, "MOST_RECORDS", 1_100)
    found = audit(
        made / "people.parquet",
        table_in(made / "swap"),
        AuditRequest(engine="streaming", only=("contingency_tables", "unchanged_cells"), threads=1),
        {"target": "ill", "roles": {"id": "identifier"}},
    )

    counted, sampled = (found.evaluation.measure(n) for n in ("unchanged_cells", "contingency_tables"))
    assert counted is not None
    assert sampled is not None
    assert counted.interval is None
    assert sampled.interval is not None
    assert sampled.value is not None
    low, high = sampled.interval
    assert 0 <= low < sampled.value < high <= 1
    assert type(found.evaluation).from_json(found.document).measure("contingency_tables") == sampled
    page = found.to_html()
    assert "judged by a sample of 1,100" in page
    assert "that of the whole table lies between" in page
    assert "Counted over all 1,200 records: Cells unchanged." in page


def test_rows_in_secret_order_are_paired_by_the_private_map(
    made: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(audited_on_disk, "MOST_RECORDS", 250_000)
    plain = judged(made, made / "secret", "memory", *COUNTED)
    long = judged(made, made / "secret", "streaming", *COUNTED)
    alone = judged(made, table_in(made / "secret"), "streaming", "unchanged_cells")

    assert numbers(long) == pytest.approx(numbers(plain))
    assert alone["pairing"] == "none"


@pytest.mark.parametrize("match", ["rows", "none", "id", None])
def test_all_ways_to_pair_rows(made: Path, tmp_path: Path, match: str | None) -> None:
    frame = pl.read_parquet(table_in(made / "swap"))
    order = np.random.default_rng(2).permutation(1_200)
    shuffled = frame.with_columns(people()["id"])[order] if match == "id" else frame
    shuffled.write_parquet(tmp_path / "released.parquet")

    documents = [
        judged(
            made, tmp_path / "released.parquet", engine, "unchanged_cells", "means_and_variances", match=match
        )
        for engine in ("streaming", "memory")
    ]

    long, plain = documents
    assert numbers(long) == pytest.approx(numbers(plain))
    assert long["pairing"] == plain["pairing"]


def test_different_lengths(made: Path, tmp_path: Path) -> None:
    short = tmp_path / "short.parquet"
    pl.read_parquet(table_in(made / "swap"))[:700].write_parquet(short)

    with pytest.raises(
        InputError, match="1,200 rows and the release 700, so they cannot be paired by position"
    ):
        judged(made, short, "streaming", "means_and_variances", match="rows")
    long, plain = (judged(made, short, engine, "means_and_variances") for engine in ("streaming", "memory"))
    assert long["pairing"] == "none"
    assert numbers(long) == pytest.approx(numbers(plain))
    assert long["audit"]["notes"] == plain["audit"]["notes"]


def test_text_files_and_folders_of_files(made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "parts").mkdir()
    for part in range(3):
        people()[400 * part : 400 * part + 400].write_csv(tmp_path / "parts" / f"{part}.csv")
    pl.read_parquet(table_in(made / "swap")).write_csv(tmp_path / "released.csv")
    monkeypatch.setattr(audited_on_disk, "MOST_RECORDS", 500)

    found = audit(
        tmp_path / "parts",
        tmp_path / "released.csv",
        AuditRequest(only=("unchanged_cells",), threads=1),
        {"target": "ill", "roles": {"id": "identifier"}},
    )

    plain = judged(made, table_in(made / "swap"), "memory", "unchanged_cells")
    assert found["unchanged_cells"].value == pytest.approx(numbers(plain)["unchanged_cells"])


def test_new_categories_that_the_sample_lacks_leave_everything_to_it(
    made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    frame = pl.read_parquet(table_in(made / "swap"))
    drawn = Streams(AUDIT_SECRET).sample("audit", "", 1_200, 500)
    other = int(np.setdiff1d(np.arange(1_200), drawn)[0])
    cities = frame["city"].cast(pl.String).to_list()
    cities[other] = "elsewhere"
    frame.with_columns(pl.Series("city", cities)).write_parquet(tmp_path / "released.parquet")
    monkeypatch.setattr(audited_on_disk, "MOST_RECORDS", 500)

    found = judged(made, tmp_path / "released.parquet", "streaming", "unchanged_cells", "correlations")

    assert found["release"]["sample"] == {"records": 500, "of": 1200, "exact": []}


def test_auto_reads_what_is_too_long_for_the_memory_in_batches(made: Path) -> None:
    original, released = made / "people.parquet", table_in(made / "swap")

    assert not in_batches(original, released, AuditRequest())
    assert in_batches(original, released, AuditRequest(engine="streaming"))
    assert in_batches(made, released, AuditRequest())
    assert in_batches(original, released, AuditRequest(memory=100_000))
    assert not in_batches(original, released, AuditRequest(memory=100_000, engine="memory"))
    assert not in_batches(people(), released, AuditRequest(memory=100_000))
    with pytest.raises(InputError, match="--engine streaming reads files"):
        in_batches(people(), released, AuditRequest(engine="streaming"))
