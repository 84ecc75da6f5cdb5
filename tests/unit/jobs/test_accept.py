"""Releases that were held back and are accepted: what changes, what must not, and what is refused."""

from __future__ import annotations

import errno
import json
import os
import shutil
from collections.abc import Callable
from datetime import UTC, date, datetime
from pathlib import Path

import pytest

import hushwood as hw
from hushwood.errors import InputError
from hushwood.jobs.accept import Acceptance, accept
from hushwood.jobs.folder import exchange, whole_folders
from hushwood.web.shown import release_view
from support.held_back import BY, DAY, REASON, accepted, make_held_back
from support.people_files import SEED, contents, write_people
from support.release_parts import manifest_of, part_of

SAID = {"by": "the data office", "reason": "for the archive only", "on": "2026-03-04"}


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("made")
    make_held_back(folder)
    return folder


@pytest.fixture
def here(made: Path, tmp_path: Path) -> Path:
    shutil.copytree(made, tmp_path, dirs_exist_ok=True)
    return tmp_path


def files_of(folder: Path) -> dict[str, tuple[bytes, int]]:
    """All files but the manifest, by name, with their inodes."""
    return {
        path.name: (path.read_bytes(), path.stat().st_ino)
        for path in folder.iterdir()
        if path.name != "manifest.json"
    }


def test_what_was_held_back_is_shared_under_a_new_seal(here: Path) -> None:
    out = here / "out"
    files, private, before = files_of(out / "not-cleared"), files_of(out / "private"), manifest_of(out)

    assert (out / "not-cleared").stat().st_mode & 0o777 == 0o700

    done = accepted(out)

    assert (out / "share").stat().st_mode & 0o777 == 0o755
    assert {path.name for path in out.iterdir()} == {"share", "private"}
    assert (files_of(out / "share"), files_of(out / "private")) == (files, private)
    after = manifest_of(out)
    assert after == done.manifest
    assert (done.folder, done.acceptance) == (out, Acceptance(**SAID))
    assert after["accepted"] == SAID
    assert after["verdict"] == before["verdict"]
    assert (after["verdict"]["policy"], after["verdict"]["status"]) == ("public", "not proven")
    assert after["files"] == {
        name.replace("not-cleared/", "share/"): known for name, known in before["files"].items()
    }
    assert after["mac"] != before["mac"]
    changed = {"accepted", "files", "mac"}
    assert {k: v for k, v in after.items() if k not in changed} == {
        k: v for k, v in before.items() if k not in changed
    }
    found = hw.verify(out, here / "people.csv")
    assert found.holds
    assert found.certificate is not None
    assert (out / "private").stat().st_mode & 0o777 == 0o700
    assert not (here / ".hushwood-out").exists()


def test_the_day_is_today_in_utc_and_blanks_around_words_do_not_count(here: Path) -> None:
    before = datetime.now(UTC).date()
    done = hw.accept(str(here / "out"), reason="  why not ", by=" me\n")
    assert before <= date.fromisoformat(done.acceptance.on) <= datetime.now(UTC).date()
    assert (done.acceptance.reason, done.acceptance.by) == ("why not", "me")


@pytest.mark.parametrize(
    ("reason", "by", "says"),
    [
        ("", BY, "The reason is empty"),
        (" \t", BY, "The reason is empty"),
        (REASON, "", "The name is empty"),
        ("a\nb", BY, "The reason .* has characters that cannot be seen"),
        (REASON, "a\x1b[31m", "The name .* has characters that cannot be seen"),
        (REASON, "a\u202eb", "The name .* has characters that cannot be seen"),
    ],
)
def test_words_that_say_nothing_or_hide_something(here: Path, reason: str, by: str, says: str) -> None:
    before = contents(here)
    with pytest.raises(InputError, match=says):
        accept(here / "out", reason, by, DAY)
    assert contents(here) == before


def append(path: Path) -> None:
    path.write_bytes(path.read_bytes() + b"\n")


def unsay(path: Path) -> None:
    """Take the verdict out of a manifest, whose seal is then broken."""
    content = json.loads(path.read_text("utf-8"))
    del content["verdict"]
    path.write_text(json.dumps(content), "utf-8")


@pytest.mark.parametrize(
    ("damage", "says"),
    [
        (lambda out: append(out / "not-cleared" / "released.csv"), "is not as it was written"),
        (lambda out: append(out / "private" / "plan.json"), "is not as it was written"),
        (lambda out: (out / "not-cleared" / "dictionary.md").unlink(), "is not as it was written"),
        (lambda out: unsay(out / "not-cleared" / "manifest.json"), "is not as it was written"),
        (lambda out: (out / "private" / "key").write_text("7" * 64, "utf-8"), "is not as it was written"),
        (lambda out: (out / "private" / "key").unlink(), "The key of .*out is not here"),
        (lambda out: shutil.rmtree(out / "private"), "The key of .*out is not here"),
        (lambda out: (out / "private" / "plan.json").unlink(), "plan.json is missing; put it back"),
        (lambda out: (out / "share").mkdir(), "has both share and not-cleared"),
        (lambda out: (out / "not-cleared").rename(out / "share"), "is not as it was written"),
        (lambda out: (out / "not-cleared" / "why.txt").touch(), "why.txt is not listed by the release"),
        (lambda out: shutil.rmtree(out / "not-cleared"), "holds no release; give the folder around"),
        (shutil.rmtree, "holds no release; give the folder around"),
    ],
)
def test_what_is_not_as_it_was_written_is_refused(
    here: Path, damage: Callable[[Path], object], says: str
) -> None:
    damage(here / "out")
    before = contents(here)
    with pytest.raises(InputError, match=says):
        accepted(here / "out")
    assert contents(here) == before


def test_only_what_is_held_back_is_accepted_and_only_once(here: Path) -> None:
    with pytest.raises(InputError, match="holds no release; give the folder around not-cleared"):
        accepted(here / "out" / "not-cleared")
    accepted(here / "out")
    before = contents(here)
    with pytest.raises(InputError, match="share is not held back, so there is nothing to accept"):
        accept(here / "out", "another reason", "another person", DAY)
    assert contents(here) == before


def without_exchange(one: Path, other: Path) -> None:
    raise OSError(errno.EINVAL, "impossible")


def test_the_folder_that_it_is_called_from_stays(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(here / "out")
    (here / "out" / "mine").write_text("kept", "utf-8")
    inode = (here / "out").stat().st_ino
    accepted(Path())
    assert (part_of(Path()), (here / "out").stat().st_ino) == ("share", inode)
    assert Path("mine").read_text("utf-8") == "kept"
    assert hw.verify(here / "out", here / "people.csv").holds


@pytest.mark.parametrize("killed_at", range(7))
def test_a_run_that_is_killed_is_finished_by_the_next(
    here: Path, monkeypatch: pytest.MonkeyPatch, killed_at: int
) -> None:
    """Where folders cannot be exchanged, it takes six renames; the seventh is never asked for."""
    out, rename, done = here / "out", Path.rename, list[Path]()

    def killed(path: Path, goal: Path) -> Path:
        if len(done) == killed_at:
            raise SystemExit("killed")  # is not undone, as an error would be
        done.append(path)
        return rename(path, goal)

    with monkeypatch.context() as patch:
        patch.setattr(exchange, "exchange", without_exchange)
        patch.setattr(Path, "rename", killed)
        if killed_at < 6:
            patch.setattr(whole_folders, "give_back", lambda folder, lock: os.close(lock))
            with pytest.raises(SystemExit):
                accepted(out)
        else:
            accepted(out)
    if 0 < killed_at < 6:
        with pytest.raises(InputError, match=r"killed while it replaced .* give the same command again"):
            hw.verify(out)
    if killed_at > 0:
        with pytest.raises(InputError, match="nothing to accept"):
            accepted(out)
    else:
        assert part_of(out) == "not-cleared"
        accepted(out)
    assert manifest_of(out)["accepted"] == SAID
    assert hw.verify(out, here / "people.csv").holds
    assert not (here / ".hushwood-out").exists()


def test_a_fault_of_the_disk_leaves_it_held_back(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(folder: Path) -> None:
        raise OSError(errno.ENOSPC, "No space left on device", str(folder))

    before = contents(here)
    monkeypatch.setattr(whole_folders, "make_durable", full)
    with pytest.raises(InputError, match="out could not be written: No space left on device"):
        accepted(here / "out")
    assert contents(here) == before


def test_reports_and_sign_off_say_who_why_and_when(tmp_path: Path) -> None:
    """They said "Not cleared", and went out like that."""
    table, out = write_people(tmp_path), tmp_path / "out"
    limits = ["singling_out<=0.000001"]
    hw.release(
        table,
        target="ill",
        output=out,
        seed=SEED,
        limits=limits,
        ledger=tmp_path / "ledger.json",
        purpose="A course",
    )
    pages = ["not-cleared/report.html", "private/report.html", "private/signoff.html"]
    before = {name: (out / name).read_text("utf-8") for name in pages}
    assert all("Accepted, though" not in text for text in before.values())
    signed = json.loads((out / "private" / "signoff.json").read_text("utf-8"))

    accepted(out)

    after = {name: (out / name.replace("not-cleared", "share")).read_text("utf-8") for name in pages}
    for name in pages:
        text = " ".join(after[name].split())
        assert "Accepted, though not" in text
        assert f"Accepted by {BY} on 2026-03-04: {REASON}" in text
        assert "Not cleared for" not in text.replace("Not proven for", "Not cleared for")
    assert "A course" in after[pages[2]]
    assert json.loads((out / "private" / "signoff.json").read_text("utf-8")) == signed | {"accepted": SAID}
    assert hw.verify(out, table).holds
    assert release_view(out)["verdict"]["headline"].startswith("Accepted, though not")
