"""Documents that pages show, each made by a process of its own and kept for as long as its files are unchanged."""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path
from typing import Any

from hushwood.errors import InputError
from hushwood.parent_process import child_environment

_AT_ONCE = 2
_PATIENCE = 900.0  # seconds; a table of a gigabyte takes less than one minute
_MOST_KEPT = 40
_FAILED = (
    "This could not be read: the process that tried ended without an answer. The table may be too large for this "
    "machine."
)


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
