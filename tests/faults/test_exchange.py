"""One release replaced by another, with a signal or a fault at every system call on the way.

HUSHWOOD_FAULTS is the number of cases; the few that always run are spread over the calls that change the disk.
"""

from __future__ import annotations

import shutil
import signal
from dataclasses import dataclass
from pathlib import Path

import pytest

from support import tiny_releases
from support.people_files import contents
from support.tiny_releases import read_release, write_release
from support.traced_runs import CASES, Call, calls_of, chosen, needs_strace, traced

pytestmark = [needs_strace, pytest.mark.usefixtures("heeded_signals")]
PLACES = ["new", "replaced", "stays"]


@dataclass(frozen=True)
class Scene:
    """A place to release to: a new folder, an old release, or an old release that the command is called from."""

    root: Path
    place: str

    @property
    def target(self) -> Path:
        return self.root / "work" / "out"

    def lay_out(self) -> None:
        shutil.rmtree(self.root / "work", ignore_errors=True)
        self.target.parent.mkdir(parents=True)
        if self.place != "new":
            write_release(self.target, "old")
            (self.target / "notes").mkdir()
            (self.target / "notes" / "mine").write_text("kept", "utf-8")
            (self.target / "share" / "mine").write_text("kept", "utf-8")

    def run(self, how: str, inject: str = "") -> tuple[int, str]:
        """The exit code and what is said on the way; the calls are noted in `log`."""
        words = [tiny_releases.__file__, how, "." if self.place == "stays" else self.target, "new"]
        done = traced(words, self.log, inject, cwd=self.target if self.place == "stays" else self.root)
        assert "Traceback" not in done.stderr
        return done.returncode, done.stderr

    @property
    def log(self) -> Path:
        return self.root / "log"

    def calls(self, how: str) -> list[Call]:
        self.lay_out()
        assert self.run(how) == (0, "")
        assert read_release(self.target) == "new"
        return calls_of(self.log)

    def check_foreign_files(self) -> None:
        if self.place != "new":
            assert (self.target / "notes" / "mine").read_text("utf-8") == "kept"
            assert (self.target / "share" / "mine").read_text("utf-8") == "kept"

    def left_behind(self) -> set[str]:
        return {path.name for path in self.target.parent.iterdir()} - {"out"}


@pytest.fixture
def scene(tmp_path: Path, request: pytest.FixtureRequest) -> Scene:
    return Scene(tmp_path, request.param)


each_place = pytest.mark.parametrize("scene", PLACES, indirect=True)


@each_place
def test_a_run_that_is_killed_leaves_the_old_or_the_new_release(scene: Scene) -> None:
    """And what it leaves besides is gone after the next run."""
    seen = set()
    for call in chosen(scene.calls("plain"), CASES // 5):
        scene.lay_out()
        code, _ = scene.run("plain", call.when("signal=SIGKILL"))
        assert code == -signal.SIGKILL
        if scene.place == "stays" and (scene.target.parent / ".hushwood-out" / "ready").exists():
            keys = {path.read_text("utf-8") for path in scene.target.parent.rglob("key")}
            assert keys == {"old", "new"}
        else:
            seen.add(read_release(scene.target))
            if scene.target.exists():
                scene.check_foreign_files()
        write_release(scene.target, "next", force=True)
        assert read_release(scene.target) == "next"
        scene.check_foreign_files()
        assert scene.left_behind() == set()
    assert seen == {None if scene.place == "new" else "old", "new"}


@each_place
def test_a_run_that_is_stopped_says_what_it_left(scene: Scene) -> None:
    names = [signal.SIGINT, signal.SIGTERM, signal.SIGHUP]
    said = set()
    for place, call in enumerate(chosen(scene.calls("command"), CASES // 10)):
        scene.lay_out()
        before = contents(scene.target.parent)
        sent = names[place % len(names)]
        code, err = scene.run("command", call.when(f"signal={sent.name}"))
        assert code == 128 + sent
        assert scene.left_behind() == set()
        complete = f"hushwood: Stopped; the release in {'.' if scene.place == 'stays' else scene.target} is complete.\n"
        if err == complete:
            assert read_release(scene.target) == "new"
        else:
            assert err == "hushwood: Stopped; an unfinished release leaves nothing behind.\n"
            assert contents(scene.target.parent) == before
        scene.check_foreign_files()
        said.add(err)
    assert len(said) == 2


@each_place
def test_a_fault_of_the_disk_is_one_sentence(scene: Scene) -> None:
    errors = {"openat": "EMFILE", "write": "ENOSPC", "mkdir": "ENOSPC", "linkat": "ENOSPC"}
    faulty = {"rename", "renameat2", "fsync", "unlink", "unlinkat", "rmdir", *errors}
    calls = [call for call in scene.calls("command") if call.name in faulty]
    codes = set()
    for call in chosen(calls, CASES // 10):
        scene.lay_out()
        code, err = scene.run("command", call.when(f"error={errors.get(call.name, 'EIO')}"))
        assert "(INJECTED)" in scene.log.read_text("utf-8", "replace")
        said = "" if code == 0 else err
        assert code in (0, 2)
        assert said.count("\n") == (code == 2)
        assert read_release(scene.target) in (
            {"new"} if code == 0 or "is complete" in said else {None, "old"}
        )
        left = {name for name in scene.left_behind() if name not in said}
        assert left == set()
        if scene.target.exists():
            scene.check_foreign_files()
        codes.add(code)
    assert 2 in codes
