"""The seal of a manifest: what it binds, and which manifests are not even looked at."""

from __future__ import annotations

import copy
import hashlib
import hmac
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from hushwood.errors import InputError
from hushwood.jobs.folder.manifests import (
    changed_private_files,
    check_manifest,
    check_plan,
    check_version_and_names,
    file_checksum,
    held_back,
    is_input,
    keyed_checksum,
    private_checksum,
    seal_fits,
    sealed,
    sealed_as_accepted,
    table_digest,
)
from hushwood.random_streams import Streams
from hushwood.tables.reading import read
from support.people_files import write_people

STREAMS, OTHER = Streams(bytes(range(32))), Streams(bytes(32))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in {"share/t.csv": "a", "private/key": "secret", "private/plan.json": "{}"}.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, "utf-8")
    return tmp_path


def made(folder: Path, **more: Any) -> dict[str, Any]:
    return sealed({"version": 2, "output": {"file": "t.csv"}, **more}, folder, STREAMS)


def test_every_file_is_bound_and_private_ones_tell_nothing(folder: Path) -> None:
    manifest = made(folder)
    plain = file_checksum(folder / "share" / "t.csv")
    assert manifest["files"] == {"share/t.csv": plain}
    assert manifest["output"] == {"file": "t.csv", "sha256": plain}
    assert set(manifest["private_files"]) == {"private/key", "private/plan.json"}
    assert manifest["private_files"]["private/key"] is None
    assert file_checksum(folder / "private" / "plan.json") not in json.dumps(manifest)


def test_the_mac_is_over_what_is_read_in_any_spelling(folder: Path) -> None:
    manifest = made(folder, settings={"given": ("é", 0.1), "a": None})
    assert seal_fits(manifest, STREAMS)
    again = json.loads(json.dumps(manifest, indent=3, ensure_ascii=False))
    assert seal_fits(dict(reversed(again.items())), STREAMS)
    assert not seal_fits(manifest, OTHER)


@pytest.mark.parametrize(
    "change",
    [
        {"files": {"share/t.csv": "0"}},
        {"private_files": {}},
        {"version": 3},
        {"certificate": {}},
        {"output": {"file": "t.csv", "sha256": "0"}},
        {"mac": "0" * 64},
        {"mac": None},
        {"mac": "é"},
        {"mac": 3},
    ],
)
def test_any_change_breaks_the_seal(folder: Path, change: dict[str, Any]) -> None:
    assert not seal_fits(made(folder) | change, STREAMS)


def test_changed_private_files_are_named(folder: Path) -> None:
    manifest, private = made(folder), folder / "private"
    assert changed_private_files(manifest, private, STREAMS) == []
    (private / "plan.json").write_text("{ }", "utf-8")
    assert changed_private_files(manifest, private, STREAMS) == ["private/plan.json"]
    assert changed_private_files(manifest | {"version": 1}, private, STREAMS) == []
    (private / "plan.json").unlink()
    assert changed_private_files(manifest, private, STREAMS) == []


def test_a_sound_manifest_passes(folder: Path) -> None:
    manifest = made(folder)
    check_version_and_names(manifest, folder / "share")
    check_version_and_names(manifest | {"version": 1, "private_files": ["private/key"]}, folder / "share")


def test_files_that_are_held_back_are_listed_there(folder: Path) -> None:
    assert not held_back(made(folder))
    (folder / "share").rename(folder / "not-cleared")
    manifest = sealed({"version": 2, "output": {"file": "t.csv"}}, folder, STREAMS, "not-cleared")
    assert set(manifest["files"]) == {"not-cleared/t.csv"}
    assert manifest["output"]["sha256"] == manifest["files"]["not-cleared/t.csv"]
    assert held_back(manifest)
    check_version_and_names(manifest, folder / "not-cleared")
    mixed = manifest["files"] | {"share/u.csv": "0"}
    with pytest.raises(InputError, match="damaged"):
        check_version_and_names(manifest | {"files": mixed}, folder / "not-cleared")

    aside = folder / "aside"
    for part in ("share", "private"):
        (aside / part).mkdir(parents=True)
        (aside / part / "report.html").write_text(part, "utf-8")
    accepted = sealed_as_accepted(manifest, {"by": "b", "reason": "r", "on": "o"}, aside, STREAMS)
    assert accepted["files"] == {
        "share/t.csv": manifest["output"]["sha256"],
        "share/report.html": file_checksum(aside / "share" / "report.html"),
    }
    again = private_checksum(aside / "private" / "report.html", STREAMS)
    assert accepted["private_files"] == manifest["private_files"] | {"private/report.html": again}
    assert not held_back(accepted)
    assert seal_fits(accepted, STREAMS)
    assert not seal_fits(accepted | {"accepted": {"by": "c", "reason": "r", "on": "o"}}, STREAMS)


OUTSIDE = [
    "../t.csv",
    "/etc/passwd",
    "a/../t.csv",
    "a/t.csv",
    "..",
    ".",
    "",
    "C:\\t.csv",
    "..\\t.csv",
    "C:t",
    "t\0",
]


@pytest.mark.parametrize("name", OUTSIDE, ids=ascii)
def test_names_that_lead_out_of_the_folders_are_refused(folder: Path, name: str) -> None:
    manifest = made(folder)
    checksum = manifest["output"]["sha256"]
    changes: list[dict[str, Any]] = [
        {"files": manifest["files"] | {f"share/{name}": checksum}},
        {"files": manifest["files"] | {name: checksum}},
        {"private_files": {f"private/{name}": None}},
        {"files": {f"share/{name}": checksum}, "output": {"file": name, "sha256": checksum}},
        {"output": {"file": name, "sha256": checksum}},
    ]
    for change in changes:
        with pytest.raises(InputError, match=r"is damaged; fetch or make the release again\.$"):
            check_version_and_names(manifest | change, folder / "share")


@pytest.mark.parametrize(
    "change",
    [
        {"version": None},
        {"version": "2"},
        {"version": True},
        {"version": 0},
        {"files": ["share/t.csv"]},
        {"output": ["file"]},
        {"output": {"file": "t.csv", "sha256": "0"}},
        {"private_files": ["private/key"]},
        {"private_files": None},
    ],
)
def test_damaged_manifests_are_refused(folder: Path, change: dict[str, Any]) -> None:
    with pytest.raises(InputError, match="damaged"):
        check_version_and_names(made(folder) | change, folder / "share")


def test_later_versions_are_refused(folder: Path) -> None:
    with pytest.raises(InputError, match=r"version 3, .* up to 2; use a newer Hushwood\.$"):
        check_version_and_names(made(folder) | {"version": 3}, folder / "share")


def test_links_may_not_lead_out(folder: Path) -> None:
    manifest, path = made(folder), folder / "share" / "t.csv"
    path.rename(folder / "share" / "real.csv")
    path.symlink_to("real.csv")
    check_version_and_names(manifest, folder / "share")
    path.unlink()
    path.symlink_to(folder / "private" / "key")
    with pytest.raises(InputError, match="is a link that leads out of the release"):
        check_version_and_names(manifest, folder / "share")


STREAMS, OTHER = Streams(bytes(32)), Streams(bytes(31) + b"\x01")


def test_a_file(tmp_path: Path) -> None:
    (tmp_path / "x").write_bytes(b"abc")
    assert file_checksum(tmp_path / "x") == hashlib.sha256(b"abc").hexdigest()


def test_the_input_under_a_key(tmp_path: Path) -> None:
    path = write_people(tmp_path)
    digest = table_digest(read(path, target="ill"))
    assert digest == hashlib.sha256(path.read_bytes()).digest()
    assert len({digest.hex(), keyed_checksum(digest, STREAMS), keyed_checksum(digest, OTHER)}) == 3


def test_a_frame_under_a_key() -> None:
    frame = pl.DataFrame({"name": ["a", "b", "c"], "age": [1, 2, 3], "ill": ["no", "yes", "no"]})

    def checksum(of: pl.DataFrame) -> bytes:
        return table_digest(read(of, target="ill", roles={"name": "identifier"}))

    assert checksum(frame) == checksum(frame.clone())
    assert checksum(frame) != checksum(frame.with_columns(pl.Series("age", [1, 2, 4])))
    assert checksum(frame) != checksum(frame.with_columns(pl.Series("name", ["a", "b", "d"])))


def manifest(version: int, checksum: str) -> dict[str, Any]:
    return {"version": version, "input": {"keyed_checksum": checksum}}


def test_the_input_is_found_again_from_a_file_or_a_reading(tmp_path: Path) -> None:
    path = write_people(tmp_path)
    reading = read(path, target="ill")
    whole = hmac.new(STREAMS.derive("input checksum", "", 0), path.read_bytes(), "sha256").hexdigest()
    for version, checksum in ((1, whole), (2, keyed_checksum(table_digest(reading), STREAMS))):
        for source in (path, reading):
            assert is_input(manifest(version, checksum), source, STREAMS)
            assert not is_input(manifest(version, checksum), source, OTHER)
            assert not is_input(manifest(3 - version, checksum), source, STREAMS)


def test_a_private_file_under_a_key(tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / name).write_bytes(b"abc")
    found = {private_checksum(tmp_path / name, streams) for name in "ab" for streams in (STREAMS, OTHER)}
    assert len(found) == 4
    assert file_checksum(tmp_path / "a") not in found


HERE = Path("manifest.json")
MANIFEST: dict[str, Any] = {
    "technique": "forest-framework",
    "files": {"share/released.csv": "0f"},
    "private_files": ["private/key"],
    "input": {"keyed_checksum": "1a"},
    "output": {"file": "released.csv", "sha256": "0f", "records": 2},
    "certificate": {"claimed": True, "records": 2, "kept": 2, "per_tree": [2]},
    "parameters": {"noise": 0.5, "settings": {"gadp": {"rho": 0.5}}},
}
PLAN: dict[str, Any] = {
    "input": {"missing": ["?"], "encoding": "utf-8", "separator": None, "infinite": "refuse"},
    "options": {"technique": "framework", "noise": 1, "trees": None, "suppress": [], "settings": {}},
}
Damage = Callable[[dict[str, Any]], object]


def test_whole_ones_pass() -> None:
    check_manifest(MANIFEST, HERE)
    check_manifest(MANIFEST | {"a later": "entry"}, HERE)
    for status in ("cleared", "not cleared", "not proven"):
        check_manifest(MANIFEST | {"verdict": {"status": status, "policy": "public", "checks": []}}, HERE)
    check_manifest(MANIFEST | {"accepted": {"by": "a", "reason": "b", "on": "2026-03-04"}}, HERE)
    check_plan(PLAN, HERE)
    check_plan({}, HERE)
    check_plan({"recipe": "tpp", "options": {"trees": ["gini"]}}, HERE)


@pytest.mark.parametrize(
    "damage",
    [
        lambda m: m.pop("technique"),
        lambda m: m.update(files=[]),
        lambda m: m["files"].update(x=1),
        lambda m: m["input"].clear(),
        lambda m: m.update(output="released.csv"),
        lambda m: m["certificate"].update(kept="2"),
        lambda m: m["certificate"].update(kept=True),
        lambda m: m["certificate"].update(claimed=1),
        lambda m: m["certificate"].update(columns=1),
        lambda m: m["certificate"].update(columns={"age": []}),
        lambda m: m.update(private_files=[1]),
        lambda m: m["parameters"].update(settings=[]),
        lambda m: m["parameters"].update(noise=None),
        lambda m: m["parameters"].update(noise_by_column={"age": "much"}),
        lambda m: m["parameters"].update(noise_of=1),
        lambda m: m.update(verdict=None),
        lambda m: m.update(verdict="cleared"),
        lambda m: m.update(verdict={"status": "cleared"}),
        lambda m: m.update(verdict={"status": "perhaps", "policy": "public"}),
        lambda m: m.update(verdict={"status": ["cleared"], "policy": "public"}),
        lambda m: m.update(verdict={"status": "cleared", "policy": 3}),
        lambda m: m.update(accepted=True),
        lambda m: m.update(accepted={"by": "a", "reason": "b"}),
        lambda m: m.update(accepted={"by": "a", "reason": None, "on": "c"}),
    ],
)
def test_damaged_manifests(damage: Damage) -> None:
    manifest = copy.deepcopy(MANIFEST)
    damage(manifest)
    with pytest.raises(InputError, match=r"manifest\.json is damaged; fetch or make the release again"):
        check_manifest(manifest, HERE)


@pytest.mark.parametrize(
    "damage",
    [
        lambda p: p.update(input=[]),
        lambda p: p["input"].update(path="x"),
        lambda p: p["input"].update(missing="?"),
        lambda p: p["input"].update(infinite="perhaps"),
        lambda p: p["input"].update(response=[]),
        lambda p: p.update(options=None),
        lambda p: p["options"].update(trees="3"),
        lambda p: p["options"].update(suppress=[1]),
        lambda p: p["options"].update(settings={"gadp": 1}),
        lambda p: p["options"].update(noise="much"),
        lambda p: p["options"].update(noise_by_column=[0.1]),
        lambda p: p["options"].update(noise_influential="much"),
    ],
)
def test_damaged_plans(damage: Damage) -> None:
    plan = copy.deepcopy(PLAN)
    damage(plan)
    with pytest.raises(InputError, match="is damaged"):
        check_plan(plan, HERE)
