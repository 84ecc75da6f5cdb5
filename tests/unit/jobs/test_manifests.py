"""The seal of a manifest: what it binds, and which manifests are not even looked at."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from hushwood.errors import InputError
from hushwood.jobs.checksums import file_checksum
from hushwood.jobs.manifests import changed_private_files, check_version_and_names, seal_fits, sealed
from hushwood.random_streams import Streams

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
