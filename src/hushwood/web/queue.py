"""What runs in processes of its own: jobs, one after the other, and the documents that pages show.

A job is the very command that is shown. A document is kept for as long as its files are unchanged.
"""

from __future__ import annotations

import asyncio
import json
import sys
import time
from collections import deque
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from hushwood.errors import InputError
from hushwood.parent_process import child_environment
from hushwood.stages import FOR_PROGRAMS
from hushwood.stages import VARIABLE as PROGRESS
from hushwood.web.commands import Command

State = Literal["waiting", "running", "done", "failed", "cancelled"]
_MOST_LINES = 2000
_LONGEST_LINE = 1 << 20
_GRACE = 15.0  # seconds in which a job that is asked to end tidies up
_AT_ONCE = 2
_PATIENCE = 900.0  # seconds; a table of a gigabyte takes less than one minute
_MOST_KEPT = 40
_FAILED = (
    "This could not be read: the process that tried ended without an answer. The table may be too large for this "
    "machine."
)


@dataclass
class Job:
    """One command: where it stands, what it said, and how it ended."""

    number: int
    title: str
    command: Command
    back: str = "/"  # the page that asked for it
    result: str = ""  # the page of its result
    form: Mapping[str, str] = field(default_factory=dict)  # how that page was filled in
    state: State = "waiting"
    code: int | None = None
    stage: str = ""
    done: int = 0
    total: int = 0
    stage_began: float = 0.0
    began: float = 0.0
    ended: float = 0.0
    said: deque[str] = field(default_factory=lambda: deque(maxlen=_MOST_LINES))
    complained: deque[str] = field(default_factory=lambda: deque(maxlen=_MOST_LINES))
    version: int = 0  # counts what there is to show
    process: asyncio.subprocess.Process | None = field(default=None, repr=False)

    @property
    def over(self) -> bool:
        """Whether nothing more will come."""
        return self.state in ("done", "failed", "cancelled")

    @property
    def seconds(self) -> float:
        """How long it has run."""
        return (self.ended or time.monotonic()) - self.began if self.began else 0.0

    @property
    def left(self) -> float | None:
        """Seconds until the present stage is over, as far as its steps say."""
        if self.state != "running" or not 0 < self.done < self.total:
            return None
        return (time.monotonic() - self.stage_began) * (self.total - self.done) / self.done

    @property
    def answer(self) -> str:
        """How it ended, in a sentence."""
        if self.state == "cancelled":
            return "Cancelled. Nothing was released, and nothing half-written was left."
        if self.code == 0:
            return "Done."
        if self.code == 1:
            return "Done, and the answer is no: read what it says."
        known = next((line for line in reversed(self.complained) if line.startswith("hushwood: ")), "")
        if known and self.code is not None and self.code > 0:
            return known.removeprefix("hushwood: ")
        return "The job ended unexpectedly. Nothing was released; the web app goes on."


class Queue:
    """Runs jobs one after the other, in the order in which they were asked for."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.jobs: dict[int, Job] = {}
        self._more = asyncio.Event()
        self._closed = False

    def add(self, title: str, command: Command, *, back: str = "/", result: str = "") -> Job:
        """Put a job at the end."""
        job = Job(len(self.jobs) + 1, title, command, back, result)
        self.jobs[job.number] = job
        self._more.set()
        return job

    def ahead_of(self, job: Job) -> int:
        """How many jobs come before it."""
        return sum(not other.over for other in self.jobs.values() if other.number < job.number)

    async def run(self) -> None:
        """Run jobs until the server ends."""
        while not self._closed:
            waiting = next((job for job in self.jobs.values() if job.state == "waiting"), None)
            if waiting is None:
                self._more.clear()
                await self._more.wait()
            else:
                await self._run(waiting)

    async def cancel(self, job: Job) -> None:
        """Take a job out, or ask its process to end; a process that does not listen is killed."""
        if job.over:
            return
        running = job.state == "running"
        job.state = "cancelled"
        job.version += 1
        if running and job.process is not None:
            await _end(job.process)

    async def close(self) -> None:
        """End everything."""
        self._closed = True
        await asyncio.gather(*(self.cancel(job) for job in list(self.jobs.values())))

    async def _run(self, job: Job) -> None:
        job.state, job.began, job.stage = "running", time.monotonic(), "starting"
        job.version += 1
        try:
            job.process = await asyncio.create_subprocess_exec(
                sys.executable,
                *("-m", "hushwood.cli.piped"),
                cwd=self.folder,
                env={**child_environment(), PROGRESS: FOR_PROGRAMS, "NO_COLOR": "1", "COLUMNS": "100"},
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.PIPE,
                limit=_LONGEST_LINE,
            )
            await _say(job.process.stdin, job.command.words)
            await asyncio.gather(
                _listen(job, job.process.stdout), _listen(job, job.process.stderr, errors=True)
            )
            job.code = await job.process.wait()
        except (OSError, ValueError):  # it could not be started, or said a line without end
            if job.process is not None:
                await _end(job.process)
        if not job.over:
            job.state = "done" if job.code in (0, 1) else "failed"
        job.ended = time.monotonic()
        job.version += 1


async def _say(stream: asyncio.StreamWriter | None, words: Sequence[str]) -> None:
    assert stream is not None  # noqa: S101 - it was asked for
    stream.write(json.dumps(words).encode() + b"\n")
    with suppress(ConnectionError):  # it has already ended, and says why
        await stream.drain()


async def _listen(job: Job, stream: asyncio.StreamReader | None, *, errors: bool = False) -> None:
    assert stream is not None  # noqa: S101 - it was asked for
    async for raw in stream:
        line = raw.decode("utf-8", "replace").rstrip("\r\n")
        if errors and line.startswith('{"stage"'):
            _progress(job, line)
        else:
            (job.complained if errors else job.said).append(line)


def _progress(job: Job, line: str) -> None:
    try:
        said = json.loads(line)
        stage, done, total = str(said["stage"]), int(said["done"]), int(said["total"])
    except (ValueError, KeyError, TypeError):
        return
    # Stages that count the same steps, such as single measures, are one piece of work for an estimate.
    if total != job.total or done < job.done:
        job.stage_began = time.monotonic()
    job.stage, job.done, job.total = stage, done, total
    job.version += 1


async def _end(process: asyncio.subprocess.Process) -> None:
    if process.returncode is not None:
        return
    try:
        process.terminate()
        await asyncio.wait_for(process.wait(), _GRACE)
    except TimeoutError:
        process.kill()
        await process.wait()
    except ProcessLookupError:
        return


class Documents:
    """Asks child processes, a few at a time, and remembers answers."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder  # in which the processes work
        self._kept: dict[tuple[Any, ...], dict[str, Any]] = {}
        self._asking: dict[tuple[Any, ...], asyncio.Task[dict[str, Any]]] = {}
        self._turn = asyncio.Semaphore(_AT_ONCE)

    async def ask(self, what: str, *words: str, files: tuple[Path, ...] = ()) -> dict[str, Any]:
        """A document; asked for twice, it is made once. A refusal is an InputError with its sentence."""
        key = (what, words, *(_state(file) for file in files))
        if key in self._kept:
            return self._kept[key]
        if key not in self._asking:
            self._asking[key] = asyncio.create_task(self._make(key, what, words))
        return await asyncio.shield(self._asking[key])

    async def close(self) -> None:
        """End all processes; nobody waits for their answers any more."""
        asking = list(self._asking.values())
        for task in asking:
            task.cancel()
        await asyncio.gather(*asking, return_exceptions=True)

    async def _make(self, key: tuple[Any, ...], what: str, words: tuple[str, ...]) -> dict[str, Any]:
        try:
            async with self._turn:
                answer = await self._answer(what, words)
        finally:
            del self._asking[key]
        if "refused" in answer:
            raise InputError(str(answer["refused"]))
        while len(self._kept) >= _MOST_KEPT:
            del self._kept[next(iter(self._kept))]
        found: dict[str, Any] = answer["found"]
        self._kept[key] = found
        return found

    async def _answer(self, what: str, words: tuple[str, ...]) -> dict[str, Any]:
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            *("-m", "hushwood.web.child", what, *words),
            cwd=self.folder,
            env=child_environment(),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
        )
        try:
            assert process.stdout is not None  # noqa: S101 - it was asked for
            text = await asyncio.wait_for(process.stdout.read(), _PATIENCE)
            await process.wait()
            answer: dict[str, Any] = json.loads(text)
        except (ValueError, TimeoutError):
            raise InputError(_FAILED) from None
        finally:
            if process.returncode is None:
                process.kill()
                await process.wait()
        return answer


def _state(file: Path) -> tuple[str, int, int]:
    try:
        found = file.stat()
    except OSError:
        return str(file), 0, 0
    return str(file), found.st_mtime_ns, found.st_size
