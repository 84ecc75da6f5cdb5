from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from hushwood.errors import InputError
from hushwood.jobs.release import Release, release_any
from hushwood.jobs.requests import InputOptions, ReleaseRequest
from hushwood.releasing.options import PerturbOptions
from hushwood.tables.sql.addresses import address_of
from hushwood.tables.sql.tables import spooled_query
from support.postgres import PASSWORD, Server
from support.sql_tables import in_duckdb, in_sqlite, people
from support.tuned_scores import two_checks

SEED = "5b" * 32
REQUEST = ReleaseRequest(
    PerturbOptions("forest-framework", threads=2),
    seed=SEED,
    row_key="person",
    evidence="none",
    reuse_key=True,
)


def released(source: object, request: ReleaseRequest, **arguments: object) -> Release:
    return release_any(source, InputOptions(**arguments).arguments("ill"), request)  # type: ignore[arg-type]


def in_one_order(frame: pl.DataFrame) -> pl.DataFrame:
    """The rows as released, in types that all sources share: the order is that of the ids, so it needs no sorting."""
    return frame.with_columns(pl.col("age").cast(pl.Int64))


@pytest.fixture(params=["forest-framework", "segment-shuffle"])
def request_for(request: pytest.FixtureRequest) -> ReleaseRequest:
    return replace(REQUEST, options=PerturbOptions(str(request.param), threads=2))


def test_every_source_gives_the_same_values(
    postgres: Server, tmp_path: Path, request_for: ReleaseRequest
) -> None:
    frame = people()
    mixed = frame[np.random.default_rng(3).permutation(frame.height)]
    frame.write_parquet(tmp_path / "people.parquet")
    frame.write_csv(tmp_path / "people.csv")
    postgres.ingest("people", mixed)
    sources = [
        tmp_path / "people.csv",
        postgres.address("?table=people", PASSWORD),
        in_sqlite(frame[::-1], tmp_path / "people.db"),
        in_duckdb(mixed, tmp_path / "people.duckdb"),
    ]
    first = released(tmp_path / "people.parquet", replace(request_for, output=tmp_path / "first"))
    wanted = in_one_order(first.frame)
    assert wanted.columns == [name for name in frame.columns if name != "person"]
    for number, source in enumerate(sources):
        done = released(source, replace(request_for, output=tmp_path / f"out{number}"))
        assert in_one_order(done.frame).equals(wanted), source
        assert done.certificate["kept"] == frame.height


def test_a_release_again_is_the_same_and_a_changed_table_is_noticed(postgres: Server, tmp_path: Path) -> None:
    postgres.ingest("twice", people())
    source = postgres.address("?table=twice", PASSWORD)
    strict = replace(REQUEST, reuse_key=False)
    first = released(source, replace(strict, output=tmp_path / "a"))
    postgres.ingest("twice", people()[::-1])
    again = released(source, replace(strict, output=tmp_path / "b"))
    assert again.frame.equals(first.frame)
    assert again.manifest["input"] == first.manifest["input"]
    postgres.run("UPDATE twice SET age = age + 1 WHERE person = 'N00001'")
    with pytest.raises(InputError, match="This seed already made"):
        released(source, replace(strict, output=tmp_path / "c"))


def test_a_query_can_take_the_place_of_a_table(tmp_path: Path) -> None:
    address = in_sqlite(people(), tmp_path / "people.db").partition("?")[0]
    query = "SELECT person, age, town, ill FROM people WHERE age < 60"
    done = released(address, replace(REQUEST, output=tmp_path / "out", query=query))
    assert done.frame.columns == ["age", "town", "ill"]
    assert done.frame.height == people().filter(pl.col("age") < 60).height


def test_a_table_without_a_key_is_refused(tmp_path: Path) -> None:
    address = in_duckdb(people(), tmp_path / "people.duckdb")
    with pytest.raises(InputError, match=r"has no order .* name a unique column with --row-key COLUMN"):
        released(address, replace(REQUEST, row_key=None, output=tmp_path / "out"))
    with pytest.raises(InputError, match="'town' cannot be the row key"):
        released(address, replace(REQUEST, row_key="town", output=tmp_path / "out"))
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("ending", "database"), [("parquet", "postgresql"), ("csv", "sqlite"), ("parquet", "duckdb")]
)
def test_a_cleared_release_is_also_written_to_a_database(
    tmp_path: Path, ending: str, database: str, postgres: Server
) -> None:
    frame, source = people(), tmp_path / f"people.{ending}"
    frame.write_parquet(source) if ending == "parquet" else frame.write_csv(source)
    postgres.run("DROP TABLE IF EXISTS handed_out")
    server = postgres.address("?table=handed_out", PASSWORD)
    to = server if database == "postgresql" else f"{database}:///{tmp_path / 'out'}?table=handed_out"
    asked = replace(REQUEST, to=to, evidence="quick", policy=two_checks(0.95, 0.95))
    done = released(source, replace(asked, output=tmp_path / "done"))
    assert done.cleared
    found = spooled_query(address_of(to), None, tmp_path, (), ())
    back = pl.read_parquet(list(found.files.paths))
    assert back.select("age", "pay", "town", "ill").equals(done.frame.select("age", "pay", "town", "ill"))
    with pytest.raises(InputError, match="There is already a table 'handed_out'"):
        released(source, replace(asked, output=tmp_path / "again"))
    assert not (tmp_path / "again").exists()


def test_a_release_that_is_not_cleared_is_not_written(tmp_path: Path) -> None:
    people().write_parquet(tmp_path / "people.parquet")
    to = f"sqlite:///{tmp_path / 'out.db'}?table=handed_out"
    done = released(tmp_path / "people.parquet", replace(REQUEST, output=tmp_path / "out", to=to))
    assert not done.cleared
    assert any("was not written to" in warning for warning in done.warnings)
    assert not (tmp_path / "out.db").exists()


def test_a_destination_that_cannot_be_is_refused_first(tmp_path: Path) -> None:
    address = in_sqlite(people(), tmp_path / "people.db")
    where = tmp_path / "out"
    with pytest.raises(InputError, match="names the table itself"):
        released(address, replace(REQUEST, output=where, to=address, force=True))
    with pytest.raises(InputError, match="--to takes the address of a table"):
        released(address, replace(REQUEST, output=where, to="people.db"))
    with pytest.raises(InputError, match="name its folder with -o DIR"):
        released(address, replace(REQUEST, output=None, to=address))
    with pytest.raises(InputError, match="Say which table to write"):
        released(address, replace(REQUEST, output=where, to=f"duckdb:///{tmp_path / 'a.duckdb'}"))
    assert not where.exists()
