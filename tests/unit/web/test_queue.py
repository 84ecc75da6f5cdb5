"""Jobs: the command as a process, its progress, its end, and being cancelled."""

from __future__ import annotations

import asyncio
import sys
import time
from pathlib import Path

import pytest

from hushwood.errors import InputError
from hushwood.web.commands import Command
from hushwood.web.queue import Documents, Job, Queue, _progress
from support.people_files import write_people


async def ended(job: Job, seconds: float = 120) -> None:
    async with asyncio.timeout(seconds):
        while not job.over or (job.process is not None and job.process.returncode is None):
            await asyncio.sleep(0.02)


async def with_queue(folder: Path, *words: tuple[str, ...]) -> list[Job]:
    queue = Queue(folder)
    working = asyncio.create_task(queue.run())
    jobs = [queue.add("A job", Command(each)) for each in words]
    assert [queue.ahead_of(job) for job in jobs] == list(range(len(jobs)))
    for job in jobs:
        await ended(job)
    await queue.close()
    working.cancel()
    return jobs


def test_jobs_run_in_order_and_say_how_they_ended(tmp_path: Path) -> None:
    write_people(tmp_path)
    good, bad = asyncio.run(with_queue(tmp_path, ("--version",), ("release", "nowhere.csv", "-o", "out")))

    assert (good.state, good.code, good.answer) == ("done", 0, "Done.")
    assert good.said[0].startswith("hushwood ")
    assert (bad.state, bad.code) == ("failed", 2)
    assert "nowhere.csv" in bad.answer
    assert bad.began >= good.ended
    assert not (tmp_path / "out").exists()


def test_a_job_that_is_cancelled_leaves_nothing(tmp_path: Path) -> None:
    write_people(tmp_path, count=2000)
    before = sorted(path.name for path in tmp_path.iterdir())

    async def run() -> tuple[Job, Job]:
        queue = Queue(tmp_path)
        working = asyncio.create_task(queue.run())
        words = (
            "release",
            "people.csv",
            "--class",
            "ill",
            "--evidence",
            "full",
            "--purpose",
            "Secret",
            "-o",
            "out",
        )
        job, waiting = queue.add("A job", Command(words)), queue.add("Another", Command(words))
        async with asyncio.timeout(120):
            while not (tmp_path / ".hushwood-out" / "new").exists():  # where the release is being written
                await asyncio.sleep(0.05)
        assert job.process is not None
        if sys.platform.startswith("linux"):  # what other users see of it
            assert b"Secret" not in Path(f"/proc/{job.process.pid}/cmdline").read_bytes()
        await queue.cancel(waiting)
        await queue.cancel(job)
        assert job.process is not None
        assert job.process.returncode is not None
        await queue.cancel(job)  # again, which does nothing
        working.cancel()
        return job, waiting

    job, waiting = asyncio.run(run())

    assert (job.state, waiting.state, waiting.process) == ("cancelled", "cancelled", None)
    assert "Nothing was released" in job.answer
    assert sorted(path.name for path in tmp_path.iterdir()) == before


def test_a_crash_is_told_from_a_refusal() -> None:
    crashed = Job(1, "A job", Command(()), state="failed", code=-11)

    assert "ended unexpectedly" in crashed.answer


def test_time_left_follows_from_the_steps() -> None:
    job = Job(1, "A job", Command(()), state="running", stage_began=time.monotonic() - 10, done=1, total=3)

    assert job.left is not None
    assert 15 < job.left < 60
    assert Job(1, "A job", Command(()), state="running", done=0, total=3).left is None


def test_only_progress_is_taken_for_progress() -> None:
    job = Job(1, "A job", Command(()), state="running")
    _progress(job, '{"stage": "measuring sers", "done": 2, "total": 9}')
    assert (job.stage, job.done, job.total) == ("measuring sers", 2, 9)

    for line in ('{"stage"', '{"stage": 1}', '{"stage": "x", "done": "y", "total": 0}'):
        _progress(job, line)
    assert job.stage == "measuring sers"


def test_a_document_is_made_once_for_the_same_file(tmp_path: Path) -> None:
    path = write_people(tmp_path, count=30)

    async def ask() -> list[int]:
        documents = Documents(tmp_path)
        made = []
        answer = documents._answer

        async def counted(what: str, words: tuple[str, ...]) -> dict[str, object]:
            made.append(what)
            return await answer(what, words)

        documents._answer = counted  # type: ignore[method-assign]
        first = await asyncio.gather(
            *(documents.ask("table", "people.csv", "", files=(path,)) for _ in range(5))
        )
        assert all(one is first[0] for one in first)
        numbers = [len(made), first[0]["records"]]
        write_people(tmp_path, count=31)
        again = await documents.ask("table", "people.csv", "", files=(path,))
        return [*numbers, len(made), again["records"]]

    assert asyncio.run(ask()) == [1, 30, 2, 31]


def test_a_refusal_is_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"nowhere\.csv"):
        asyncio.run(Documents(tmp_path).ask("table", "nowhere.csv", ""))


def test_the_end_of_the_server_is_the_end_of_all_processes(tmp_path: Path) -> None:
    async def run() -> None:
        documents = Documents(tmp_path)
        asked = asyncio.create_task(documents.ask("choices"))
        while not documents._asking:
            await asyncio.sleep(0)
        await documents.close()
        with pytest.raises(asyncio.CancelledError):
            await asked

    asyncio.run(run())


def test_a_process_that_breaks_is_a_sentence_too(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="without an answer"):
        asyncio.run(Documents(tmp_path).ask("no such document"))
