import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from hushwood_papers.registry import EXPERIMENTS
from support.command_line import Command, refused
from support.small_experiment import Counting


@pytest.fixture
def hushwood(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Command:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("HUSHWOOD_DATA", raising=False)
    return Command(capsys)


@pytest.fixture
def counting(monkeypatch: pytest.MonkeyPatch) -> Counting:
    own = Counting()
    monkeypatch.setattr("hushwood_papers.registry.experiment_named", lambda name: own.experiment())
    return own


def test_without_a_name_the_experiments_are_listed(hushwood: Command) -> None:
    done = hushwood("reproduce")
    assert done.code == 0
    for name, registered in EXPERIMENTS.items():
        assert name in done.out
        assert registered.about in done.out


def test_results_are_written_and_told(hushwood: Command, counting: Counting) -> None:
    done = hushwood("reproduce", "disclosure-wbc", "--repeats", 3, "-o", "found", "--jobs", 1)
    assert done.code == 0, done.err
    assert len(counting.ran) == 3
    assert "disclosure-wbc: " in done.out
    assert str(Path("found") / "disclosure-wbc.html") in done.out
    assert "100% done" in done.err
    document = json.loads(Path("found/disclosure-wbc.json").read_text())
    assert document["size"]["repeats"] == 3
    written = sorted(path.name for path in Path("found").iterdir())
    assert written == ["disclosure-wbc.html", "disclosure-wbc.json", "index.html"]
    assert "disclosure-wbc.html" in Path("found/index.html").read_text()


def test_quiet_is_quiet(hushwood: Command, counting: Counting) -> None:
    done = hushwood("reproduce", "disclosure-wbc", "--small", "--jobs", 1, "-q")
    assert (done.code, done.out, done.err) == (0, "", "")
    assert len(counting.ran) == 2


def test_what_is_done_is_not_run_again(hushwood: Command, counting: Counting) -> None:
    for words, ran in (((), 2), ((), 2), (("--again",), 4)):
        assert hushwood("reproduce", "disclosure-wbc", "--small", "--jobs", 1, *words).code == 0
        assert len(counting.ran) == ran


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("disclosure",), "Did you mean 'disclosure-wbc'?"),
        (("disclosure-wbc",), "--data DIR or HUSHWOOD_DATA"),
        (("disclosure-wbc", "--download"), "with --data DIR"),
        (("disclosure-wbc", "--jobs", "0"), "--jobs must be 1 or more"),
        (("disclosure-wbc", "--folds", "3", "--data", "."), "leave --folds out"),
        (("disclosure-wbc", "--repeats", "0", "--data", "."), "--repeats must be 1 or more"),
        (("disclosure-wbc", "--data", "nowhere"), "nowhere"),
        (("frameworks-adult", "class-noise-trees", "--data", "."), "'adult' is not there"),
        (("categorical-noise", "frameworks-adult"), "'adult' is not there"),
        (("all", "bogus"), "no experiment 'bogus'"),
        (("class-noise-trees",), "HUSHWOOD_DATA."),
    ],
)
def test_a_wrong_request_is_refused_in_one_sentence(
    hushwood: Command, words: tuple[str, ...], says: str
) -> None:
    refused(hushwood("reproduce", *words), says)
    assert list(Path().iterdir()) == []


def test_a_file_where_the_folder_should_be_is_told_of(hushwood: Command, counting: Counting) -> None:
    Path("taken").write_text("")
    refused(hushwood("reproduce", "disclosure-wbc", "-o", "taken"), "The folder taken could not be made")
    assert counting.ran == []


def test_results_of_another_size_are_not_replaced_unasked(hushwood: Command, counting: Counting) -> None:
    assert hushwood("reproduce", "disclosure-wbc", "--jobs", 1).code == 0
    refused(hushwood("reproduce", "disclosure-wbc", "--small", "--jobs", 1), "or replace them with --again")
    assert hushwood("reproduce", "disclosure-wbc", "--small", "--jobs", 1, "--again").code == 0
    assert len(counting.ran) == 4 + 2


def test_results_that_are_garbage_are_made_anew(hushwood: Command, counting: Counting) -> None:
    Path("results").mkdir()
    Path("results/disclosure-wbc.json").write_bytes(b"\xff\xfe no JSON")
    Path("results/disclosure-wbc.tasks.jsonl").write_bytes(b"\xff no JSON either\n")
    assert hushwood("reproduce", "disclosure-wbc", "--small", "--jobs", 1).code == 0
    assert len(counting.ran) == 2


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="the system does not tell of processes")
def test_a_killed_run_goes_on_in_a_new_process(tmp_path: Path) -> None:
    environment = {name: value for name, value in os.environ.items() if name != "HUSHWOOD_DATA"}
    words = [sys.executable, "-m", "hushwood", "reproduce", "categorical-noise", "--small", "--jobs", "2"]
    kept = tmp_path / "results" / "categorical-noise.tasks.jsonl"
    process = subprocess.Popen(words, cwd=tmp_path, env=environment, stderr=subprocess.DEVNULL)
    while process.poll() is None and not (kept.is_file() and kept.read_text().count('"task"') >= 1):
        time.sleep(0.05)
    workers = children_of(process.pid)
    process.send_signal(signal.SIGKILL)
    process.wait()
    assert workers, "two processes were to work side by side"
    before = kept.read_text()
    assert before.count('"task"') >= 1, "the run ended before it could be killed"
    ended = subprocess.run(words, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stderr
    document = json.loads((tmp_path / "results" / "categorical-noise.json").read_text())
    for line in before.splitlines():
        if '"task"' in line:
            done = json.loads(line)
            assert document["outcomes"][done["task"]] == done["outcome"]
    assert not kept.exists()
    assert not [worker for worker in workers if Path(f"/proc/{worker}").exists()], (
        "workers end with their parent"
    )


def children_of(process: int) -> list[int]:
    """The processes that a process has started, where the system tells."""
    return [int(pid) for pid in Path(f"/proc/{process}/task/{process}/children").read_text().split()]
