"""Links between columns from reading to verifying: found, declared, kept on every engine, counted for anybody."""

from __future__ import annotations

import json
import warnings
from dataclasses import replace
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import hushwood as hw
from hushwood.errors import BrokenCertificate
from hushwood.jobs.audit import audit
from hushwood.jobs.judging_requests import AuditRequest, VerifyRequest
from hushwood.jobs.verify import verify
from hushwood.tables.formats.schema_file import schema_to_toml
from hushwood.tables.links.linked_columns import LinkedColumns
from hushwood.tables.links.links import Order
from oracles.links import broken
from support.hospital import LINKS, hospital

SEED = "5a" * 32
FRAME = hospital()


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "hospital.csv"
    FRAME.write_csv(path)
    return path


def released(table: object, tmp_path: Path, **options: Any) -> hw.Release:
    given: dict[str, Any] = {"technique": "forest-framework", "target": "back", "evidence": "none"}
    given |= {"seed": SEED, "ledger": tmp_path / "ledger.json", "reuse_key": True}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", hw.HushwoodWarning)
        return hw.release(table, **(given | options))


def after(done: hw.Release) -> list[dict[str, Any]]:
    frame: pl.DataFrame = done.frame
    return frame.with_columns(pl.col("admitted", "discharged").cast(pl.Date)).to_dicts()


def test_links_are_found_kept_and_certified(table: Path, tmp_path: Path) -> None:
    done = released(table, tmp_path, output=tmp_path / "out")
    links = done.certificate["links"]
    assert {(link["kind"], *link["columns"]) for link in links} == {
        (type(link).__name__.lower(), *link.columns) for link in LINKS
    }
    assert all(link["kept"] and link["broken_after"] == link["newly_broken"] == 0 for link in links)
    before = FRAME.to_dicts()
    assert [broken(link, after(done), before) for link in LINKS] == [0, 0, 0, 0]
    without = released(table, tmp_path, links="none")
    assert "links" not in without.certificate
    assert all(broken(link, after(without), before) > 30 for link in LINKS)


def test_every_engine_keeps_the_same_links_and_gives_the_same_values(table: Path, tmp_path: Path) -> None:
    some: dict[str, Any] = {"forest_rows": 1950}
    here = released(table, tmp_path, engine="memory", output=tmp_path / "a", **some)
    there = released(table, tmp_path, engine="streaming", output=tmp_path / "b", **some)
    assert here.certificate == there.certificate
    assert here.frame.equals(there.frame)
    plans = [json.loads((tmp_path / name / "private/plan.json").read_text())["links"] for name in "ab"]
    assert plans[0] == plans[1]
    assert len(plans[0]) == len(LINKS)


def test_a_folder_is_verified_and_audited_by_its_own_links(table: Path, tmp_path: Path) -> None:
    schema = replace(hw.read_table(table).schema, unlinked=(Order(("admitted", "discharged")),))
    path = tmp_path / "s.toml"
    path.write_text(schema_to_toml(schema), encoding="utf-8")
    done = released(table, tmp_path, schema=path, output=tmp_path / "out")
    assert len(done.certificate["links"]) == len(LINKS) - 1
    for request in (None, VerifyRequest(memory=0)):
        found = verify(tmp_path / "out", table, request)
        assert found.holds
        assert found.certificate == done.certificate
    only = AuditRequest(only=("unchanged_cells",), evidence="quick")
    for engine in ("memory", "streaming"):
        facts = audit(table, tmp_path / "out", replace(only, engine=engine)).evaluation.release.links
        assert [fact.kept for fact in facts] == [True, True, True]
        assert [fact.broken_after for fact in facts] == [0, 0, 0]


@pytest.mark.parametrize("engine", ["memory", "streaming"])
def test_links_are_counted_in_a_release_of_others(table: Path, tmp_path: Path, engine: str) -> None:
    other = FRAME.with_columns(
        pl.col("state").shuffle(1), pl.col("pregnant").reverse(), (pl.col("cost") + 1).round(2)
    ).drop("discharged")
    path = tmp_path / "other.csv"
    other.write_csv(path)
    request = AuditRequest(only=("unchanged_cells",), evidence="quick", engine=engine)
    found = audit(table, path, request, {"target": "back"}).evaluation
    rows, before = other.to_dicts(), FRAME.to_dicts()
    counts = {(fact.kind, *fact.columns): fact for fact in found.release.links}
    for link in LINKS:
        fact = counts[type(link).__name__.lower(), *link.columns]
        gone = "discharged" in link.columns
        assert fact.broken_before == (None if gone else 0)
        assert fact.broken_after == (None if gone else broken(link, rows, before))
        assert fact.kept is None
    assert (
        audit(table, path, replace(request, links="none"), {"target": "back"}).evaluation.release.links == ()
    )


def test_a_release_that_breaks_a_link_it_claims_to_keep_stops(
    table: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = LinkedColumns.decoded

    def wrong(self: LinkedColumns, *given: Any) -> dict[str, Any]:
        found = whole(self, *given)
        return found | {"cost": found["cost"] + (found["age"] > 80)}

    monkeypatch.setattr(LinkedColumns, "decoded", wrong)
    with pytest.raises(BrokenCertificate, match="the link 'cost = drugs \\+ ward' is broken by"):
        released(table, tmp_path, output=tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_declared_links_that_some_records_break_are_released_with_a_warning(tmp_path: Path) -> None:
    place = pl.int_range(pl.len())
    frame = FRAME.with_columns(
        pl.when(place % 200 == 3).then(pl.col("cost") + 1).otherwise("cost").alias("cost"),
        pl.when(place % 250 == 4).then(pl.date(2020, 1, 1)).otherwise("discharged").alias("discharged"),
    )
    table = hw.read_table(frame, target="back")
    table = replace(table, schema=replace(table.schema, links=LINKS))
    for recipe in ("segment-shuffle", "forest-framework", "cart-synthesis", "rpt"):
        done = released(table, tmp_path, technique=recipe, target=None, links="declared")
        assert all(link["kept"] and link["newly_broken"] == 0 for link in done.certificate["links"])
        assert any("does not hold in 10 of 2,000 records" in text for text in done.warnings)


def test_a_class_that_follows_from_a_column_still_does(tmp_path: Path) -> None:
    done = released(FRAME.drop("back"), tmp_path, target="state", keep={"city": "public"})
    (link,) = (entry for entry in done.certificate["links"] if entry["columns"] == ["city", "state"])
    assert link["kept"]
    rows = done.frame.to_dicts()
    assert broken(LINKS[1], rows, FRAME.to_dicts()) == 0


def test_links_of_coarser_columns_are_those_of_the_coarser_table(table: Path, tmp_path: Path) -> None:
    done = released(table, tmp_path, coarsen=["admitted=month", "discharged=month"])
    (link,) = (entry for entry in done.certificate["links"] if entry["kind"] == "order")
    assert link["newly_broken"] == 0


def test_nothing_is_claimed_of_values_that_became_ranges(tmp_path: Path) -> None:
    done = released(FRAME, tmp_path, technique="mondrian")
    assert [link["kept"] for link in done.certificate["links"]] == [False] * len(LINKS)
    assert {link["broken_after"] for link in done.certificate["links"]} == {None}
