from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import polars as pl
import pytest

from hushwood import __version__
from hushwood.cli import main
from hushwood.cli.printing import Stopped
from hushwood.errors import BrokenCertificate, InputError
from support.command_line import Command
from support.people_files import contents
from support.tiny_releases import read_release, write_release

pytestmark = pytest.mark.usefixtures("heeded_signals")
COMMAND = [sys.executable, "-m", "hushwood"]


def test_version_and_help(hushwood: Command) -> None:
    assert hushwood("--version").out == f"hushwood {__version__}\n"
    helped = hushwood("--help")
    assert helped.code == 0
    assert all(name in helped.out for name in ("demo", "inspect", "release"))


def test_unknown_words_are_wrong_requests(hushwood: Command) -> None:
    for words in (["releasing"], ["release"], ["release", "t.csv", "--class", "a", "--nois", "1"]):
        outcome = hushwood(*words)
        assert outcome.code == 2
        assert "Traceback" not in outcome.err


@pytest.mark.parametrize(
    ("fault", "code", "says"),
    [
        (InputError("Give less."), 2, "hushwood: Give less.\n"),
        (BrokenCertificate("One left."), 3, "hushwood: One left.\n"),
        (MemoryError(), 2, "hushwood: The memory of this machine is not enough"),
        (ImportError("x.so: failed to map segment from shared object"), 2, "hushwood: The memory of this"),
        (RuntimeError("can't start new thread"), 2, "hushwood: The memory of this machine is not enough"),
        (OSError(28, "No space left on device"), 2, "hushwood: The system refused: No space left on device."),
        (Stopped(signal.SIGTERM), 143, "hushwood: Stopped; "),
    ],
    ids=lambda value: type(value).__name__,
)
def test_every_known_end_is_one_sentence_and_a_code(
    hushwood: Command, monkeypatch: pytest.MonkeyPatch, fault: BaseException, code: int, says: str
) -> None:
    def broken() -> None:
        raise fault

    monkeypatch.setattr(main, "app", broken)
    outcome = hushwood()
    assert outcome.code == code
    assert outcome.err.startswith(says)
    assert outcome.err.count("\n") == 1


def test_a_command_that_is_stopped_after_its_release_says_that_it_is_complete(
    hushwood: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stopped() -> None:
        write_release(Path("out"), "new")
        signal.raise_signal(signal.SIGTERM)

    monkeypatch.setattr(main, "app", stopped)
    outcome = hushwood()
    assert (outcome.code, outcome.err) == (143, "hushwood: Stopped; the release in out is complete.\n")
    assert read_release(Path("out")) == "new"


def test_only_the_first_of_several_signals_counts(hushwood: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    tidied = []

    def stopped() -> None:
        try:
            signal.raise_signal(signal.SIGHUP)
        finally:
            signal.raise_signal(signal.SIGTERM)
            tidied.append(True)

    monkeypatch.setattr(main, "app", stopped)
    assert hushwood().code == 129
    assert tidied


@pytest.mark.parametrize("fault", [ZeroDivisionError, pl.exceptions.PanicException])
def test_an_unknown_fault_is_internal(
    hushwood: Command, monkeypatch: pytest.MonkeyPatch, fault: type[BaseException]
) -> None:
    def broken() -> None:
        raise fault("nobody thought of this")

    monkeypatch.setattr(main, "app", broken)
    outcome = hushwood()
    assert outcome.code == 3
    assert "nobody thought of this" in outcome.err
    assert outcome.err.splitlines()[-1].startswith(f"hushwood: Internal fault ({fault.__name__})")


def test_ignored_signals_stay_ignored(hushwood: Command) -> None:
    old = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        main._heed_signals()
        assert signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
        assert signal.getsignal(signal.SIGTERM) is main._stop
    finally:
        hushwood("--version")
        signal.signal(signal.SIGHUP, old)
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_during_a_release_leaves_nothing(people_csv: Path, tmp_path: Path, number: int) -> None:
    """The release waits in its last stage, with everything written aside, until the signal comes."""
    before = contents(tmp_path)
    patience = (
        "import sys, time\n"
        "import hushwood.jobs.release as job\n"
        "from hushwood.cli.main import run\n"
        "job.dictionary = lambda *given, **how: (print('waiting', flush=True), time.sleep(60))\n"
        "run()\n"
    )
    words = ["release", str(people_csv), "--class", "ill", "-o", "new/out", "-q", "--evidence", "none"]
    with subprocess.Popen(
        [sys.executable, "-c", patience, *words, "--teacher", "tree"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            assert process.stdout is not None
            assert process.stdout.readline() == "waiting\n"
            assert any(".hushwood-" in name for name in contents(tmp_path))
            process.send_signal(number)
            _, err = process.communicate(timeout=30)
        finally:
            process.kill()
    assert process.returncode == 128 + number
    assert err == "hushwood: Stopped; an unfinished release leaves nothing behind.\n"
    assert contents(tmp_path) == before


@pytest.mark.parametrize("closed", ["1>&-", "2>&-", "1>&- 2>&-"])
def test_a_release_needs_no_terminal(people_csv: Path, closed: str) -> None:
    words = f"release {people_csv} --class ill -o out --evidence none --teacher tree {closed}"
    done = subprocess.run(f"{sys.executable} -m hushwood {words}", shell=True, check=False, env=os.environ)  # noqa: S602
    assert done.returncode == 1
    assert Path("out/not-cleared/released.csv").is_file()


def test_names_that_the_terminal_cannot_show(people_csv: Path) -> None:
    people_csv.write_text(people_csv.read_text("utf-8").replace("group", "名前"), "utf-8")
    done = subprocess.run(
        [*COMMAND, "inspect", people_csv.name],
        capture_output=True,
        check=False,
        env=os.environ | {"PYTHONIOENCODING": "ascii"},
    )
    assert done.returncode == 0
    assert b"\\u540d\\u524d" in done.stdout


def test_the_command_loads_little() -> None:
    """That is what makes it start in 0.3 s, which `make bench` measures."""
    done = subprocess.run([*COMMAND, "--help"], capture_output=True, text=True, check=True)
    assert "Usage" in done.stdout
    loaded = (
        "import sys, hushwood.cli.main; print([m for m in ('numba', 'polars', 'numpy') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", loaded], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


@pytest.mark.parametrize(
    ("words", "code"), [(["--version"], 0), (["inspect", "there is no such file.csv"], 2)]
)
def test_the_program_ends_with_the_code_of_its_command_and_all_it_said(words: list[str], code: int) -> None:
    """It leaves without tidying up, so what was printed must be out before."""
    done = subprocess.run([*COMMAND, *words], capture_output=True, text=True, check=False)
    assert done.returncode == code
    assert (done.stdout + done.stderr).startswith("hushwood")
