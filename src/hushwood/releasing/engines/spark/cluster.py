"""Work handed out by Spark, task by task, and what its faults mean."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any, TypeVar

import hushwood.errors
from hushwood.errors import HushwoodError

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

Task = TypeVar("Task")
Answer = TypeVar("Answer")
_OWN = re.compile(r"^hushwood\.errors\.(\w+): (.+)$", re.MULTILINE)
_ENDED = frozenset({"Py4JError", "Py4JNetworkError", "ConnectionRefusedError", "ConnectionResetError"})
_GONE = re.compile(r"Python worker exited unexpectedly|ExecutorLostFailure|Executor heartbeat timed out")


class Cluster:
    """Where tasks run."""

    def __init__(self, session: SparkSession) -> None:
        self.session, self._context = session, session.sparkContext

    def each(self, job: Callable[[Task], Answer], tasks: Sequence[Task]) -> list[Answer]:
        """The answer for every task, in their order; the job, which may hold the key, is sent to every worker once."""

        def handed_out() -> list[Answer]:
            sent = self._context.broadcast(job)

            def work(task: Task) -> Answer:
                found: Callable[[Task], Answer] = sent.value
                return found(task)

            try:
                return list(self._context.parallelize(tasks, len(tasks)).map(work).collect())
            finally:
                # Where Spark itself has ended, there is nothing to take back, and its own fault is the one to tell.
                with suppress(Exception):
                    sent.destroy()

        return _told(handed_out)

    def collected(self, frame: DataFrame) -> list[Any]:
        """The rows of a Spark frame."""
        return _told(lambda: list(frame.collect()))


def _told(work: Callable[[], list[Answer]]) -> list[Answer]:
    """What some work on Spark gives, or its fault as a sentence."""
    try:
        return work()
    except Exception as fault:  # Java's faults come in many classes
        raise _said(fault) from fault


def _said(fault: Exception) -> Exception:
    """Our own error if a task raised it; else what happened, in a sentence."""
    text = str(fault)
    own = _OWN.search(text)
    if own is not None:
        kind = getattr(hushwood.errors, own[1], HushwoodError)
        return kind(own[2])
    again = "nothing was released. Run the command again: the same key gives the same values."
    if _GONE.search(text):
        return HushwoodError(
            f"A Spark worker ended in the middle of its work: it was stopped, or ran out of memory; {again}"
        )
    if type(fault).__name__ in _ENDED:
        return HushwoodError(f"Spark itself ended in the middle of its work; {again}")
    if "Py4J" not in type(fault).__name__ and "pyspark" not in type(fault).__module__:
        return fault
    return HushwoodError(f"Spark could not finish the work ({_last_cause(text)}); {again}")


def _last_cause(text: str) -> str:
    causes = [line for line in text.splitlines() if line.startswith(("Caused by:", ":"))]
    return (
        (causes or text.splitlines() or ["no reason given"])[-1].removeprefix("Caused by:").lstrip(": ")[:300]
    )
