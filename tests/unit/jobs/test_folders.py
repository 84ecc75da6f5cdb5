from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from hushwood.errors import BrokenCertificate, InputError
from hushwood.jobs import folders
from hushwood.jobs.folders import check_free, check_outside, listed_files, whole_folder
from people_files import contents


def write_release(target: Path, text: str, force: bool = False) -> None:
    with whole_folder(target, force) as aside:
        (aside / "share" / "table.csv").write_text(text, "utf-8")
        (aside / "private" / "key").write_text(text, "utf-8")
        manifest = {"files": {"share/table.csv": ""}, "private_files": ["private/key"]}
        (aside / "share" / "manifest.json").write_text(json.dumps(manifest), "utf-8")


def names(folder: Path) -> set[str]:
    return set(contents(folder))


def test_the_folder_appears_when_all_is_written(tmp_path: Path) -> None:
    target = tmp_path / "a" / "b"
    with whole_folder(target, False) as aside:
        (aside / "share" / "x").touch()
        assert not target.exists()
    assert names(tmp_path) == {"a", "a/b", "a/b/share", "a/b/share/x", "a/b/private"}
    assert (target / "private").stat().st_mode & 0o777 == 0o700


def test_the_folder_is_as_open_as_the_umask_says(tmp_path: Path) -> None:
    old = os.umask(0o077)
    try:
        write_release(tmp_path / "out", "1")
    finally:
        os.umask(old)
    assert (tmp_path / "out").stat().st_mode & 0o777 == 0o700


@pytest.mark.parametrize("fault", [KeyboardInterrupt, ZeroDivisionError, InputError, BrokenCertificate])
@pytest.mark.parametrize("there", [False, True], ids=["new", "replaced"])
def test_a_fault_leaves_what_was_there(tmp_path: Path, fault: type[BaseException], there: bool) -> None:
    target = tmp_path / "a" / "b"
    if there:
        write_release(target, "old")
    before = contents(tmp_path)
    with pytest.raises(fault), whole_folder(target, True) as aside:
        (aside / "share" / "x").touch()
        raise fault("no")
    assert contents(tmp_path) == before


def test_a_fault_of_the_disk_names_the_folder_that_was_asked_for(tmp_path: Path) -> None:
    target = tmp_path / "out"
    raising = pytest.raises(InputError, match="out could not be written: No space left")
    with raising as raised, whole_folder(target, False):
        raise OSError(28, "No space left on device", "somewhere")
    assert ".hushwood" not in str(raised.value)
    raising = pytest.raises(InputError, match=r"out/share/t could not be written\. Nothing was left")
    with raising, whole_folder(target, False) as aside:
        raise InputError(f"{aside / 'share' / 't'} could not be written.")
    assert names(tmp_path) == set()


def test_without_a_target_all_is_thrown_away(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    with whole_folder(None, False) as aside:
        assert aside.parent == tmp_path
        assert aside.stat().st_mode & 0o777 == 0o700
    assert names(tmp_path) == set()
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "nowhere"))
    with pytest.raises(InputError, match="No temporary folder can be made"), whole_folder(None, False):
        pass


def test_files_and_full_folders_are_refused(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for target in (tmp_path / "file", tmp_path / "file" / "x" / "y"):
        with pytest.raises(InputError, match="is a file"):
            check_free(target, True)
    with pytest.raises(InputError, match="not empty"):
        check_free(tmp_path, False)
    with pytest.raises(InputError, match="holds no release"):
        check_free(tmp_path, True)
    (tmp_path / "empty").mkdir()
    check_free(tmp_path / "empty", False)
    check_free(tmp_path / "new" / "new", False)


def test_a_folder_that_must_not_be_looked_into(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def barred(path: Path) -> bool:
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(Path, "exists", barred)
    with pytest.raises(InputError, match="cannot be looked into: Permission denied"):
        check_free(tmp_path, False)


def test_replacing_keeps_what_is_not_listed(tmp_path: Path) -> None:
    target = tmp_path / "out"
    write_release(target, "old")
    (target / "mine").write_text("kept", "utf-8")
    (target / "share" / "deep").mkdir()
    (target / "share" / "deep" / "mine").write_text("kept", "utf-8")
    (target / "private" / "empty").mkdir()
    (target / "share" / "link").symlink_to("nowhere")
    write_release(target, "new", force=True)
    assert (target / "share" / "table.csv").read_text("utf-8") == "new"
    assert (target / "private" / "key").read_text("utf-8") == "new"
    assert (target / "share" / "deep" / "mine").read_text("utf-8") == "kept"
    assert (target / "mine").read_text("utf-8") == "kept"
    assert (target / "private" / "empty").is_dir()
    assert (target / "share" / "link").is_symlink()
    assert {path.name for path in tmp_path.iterdir()} == {"out"}
    assert {path.name for path in target.iterdir()} == {"mine", "share", "private"}


def test_what_would_be_lost_stops_the_replacement(tmp_path: Path) -> None:
    target = tmp_path / "out"
    write_release(target, "old")
    (target / "share" / "extra").write_text("mine", "utf-8")
    before = contents(tmp_path)
    with pytest.raises(InputError, match="would be lost; move it away"), whole_folder(target, True) as aside:
        (aside / "share" / "extra").touch()
    os.mkfifo(target / "share" / "pipe")
    with pytest.raises(InputError, match="pipe is not listed"):
        write_release(target, "new", force=True)
    (target / "share" / "pipe").unlink()
    assert contents(tmp_path) == before


def test_a_folder_that_is_a_link_is_not_replaced(tmp_path: Path) -> None:
    target = tmp_path / "out"
    write_release(target, "old")
    (target / "private").rename(tmp_path / "safe")
    (target / "private").symlink_to(tmp_path / "safe")
    with pytest.raises(InputError, match="is a link"):
        write_release(target, "new", force=True)
    assert (tmp_path / "safe" / "key").read_text("utf-8") == "old"


@pytest.mark.parametrize("broken_at", range(1, 5))
def test_an_exchange_that_breaks_is_undone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, broken_at: int
) -> None:
    target = tmp_path / "out"
    write_release(target, "old")
    before = contents(tmp_path)
    calls = []
    rename = Path.rename

    def fragile(path: Path, goal: Path) -> Path:
        calls.append(path)
        if len(calls) == broken_at:
            raise KeyboardInterrupt
        return rename(path, goal)

    monkeypatch.setattr(Path, "rename", fragile)
    with pytest.raises(KeyboardInterrupt):
        write_release(target, "new", force=True)
    assert contents(tmp_path) == before


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"files": 3, "private_files": []}', "\xff"])
def test_a_damaged_manifest(tmp_path: Path, text: str) -> None:
    (tmp_path / "share").mkdir()
    (tmp_path / folders.MANIFEST).write_bytes(text.encode("latin-1"))
    with pytest.raises(InputError, match="is damaged"):
        listed_files(tmp_path)


def test_a_table_inside_the_old_release(tmp_path: Path) -> None:
    write_release(tmp_path / "out", "old")
    (tmp_path / "link.csv").symlink_to(tmp_path / "out" / "share" / "table.csv")
    for table in (tmp_path / "out" / "share" / "table.csv", tmp_path / "link.csv"):
        with pytest.raises(InputError, match="belongs to the release"):
            check_outside(table, tmp_path / "out")
    check_outside(tmp_path / "out" / "table.csv", tmp_path / "out")
