"""Work handed out by Spark: tasks for blocks, and two exchanges in which pieces of blocks meet by part.

Whole pieces travel, not rows: Spark then moves a few thousand objects instead of converting every cell, and a piece
goes to the partition that its number names. That is why these are RDDs and not frames.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeVar

import hushwood.errors
from hushwood.errors import HushwoodError
from hushwood.releasing.engines.spark.blocks import Block
from hushwood.releasing.engines.spark.ordering import Order
from hushwood.releasing.engines.spark.tasks import Change, Done

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

Answer = TypeVar("Answer")
_OWN = re.compile(r"^hushwood\.errors\.(\w+): (.+)$", re.MULTILINE)
_GONE = re.compile(r"Python worker exited unexpectedly|ExecutorLostFailure|Executor heartbeat timed out")


class Cluster:
    """Where tasks run."""

    def __init__(self, session: SparkSession) -> None:
        self.session, self._context = session, session.sparkContext

    def each(self, job: Callable[[Block], Answer], blocks: Sequence[Block]) -> list[Answer]:
        """The answer for every block, in their order."""
        with self._sent(job) as sent:
            return self._run(self._blocks(blocks).map(lambda block: sent.value(block)))

    def change(self, job: Change) -> list[Done]:
        """Change and write all blocks; records are exchanged if the plan asks for it."""
        blocks = job.blocks
        with self._sent(job) as sent:
            if not job.parts:
                return self._run(self._blocks(blocks).map(lambda block: sent.value.change_block(block, ())))
            pieces = self._blocks(blocks).flatMap(lambda block: sent.value.gather(block))
            parts = pieces.partitionBy(job.parts, _itself).mapPartitionsWithIndex(
                lambda part, found: sent.value.change_part(part, _values(found))
            )
            back = parts.partitionBy(len(blocks), _itself).mapPartitionsWithIndex(
                lambda number, found: [sent.value.change_block(sent.value.blocks[number], _values(found))]
            )
            return self._run(back)

    def order(self, job: Order) -> list[int]:
        """Bring all rows into the order in which they go out; how many there are in every bucket."""
        with self._sent(job) as sent:
            rows = self._blocks(job.blocks).flatMap(lambda block: sent.value.scatter(block))
            return self._run(
                rows.partitionBy(job.buckets, _itself).mapPartitionsWithIndex(
                    lambda bucket, found: [sent.value.sort(bucket, _values(found))]
                )
            )

    def _blocks(self, blocks: Sequence[Block]) -> Any:
        return self._context.parallelize(blocks, len(blocks))

    @contextmanager
    def _sent(self, job: object) -> Iterator[Any]:
        """A job where every worker finds it, until the work is done: it may hold the key."""
        sent = self._context.broadcast(job)
        try:
            yield sent
        finally:
            sent.destroy()

    def collected(self, frame: DataFrame) -> list[Any]:
        """The rows of a Spark frame."""
        return self._run(frame)

    def _run(self, work: Any) -> list[Any]:
        try:
            return list(work.collect())
        except Exception as fault:  # Java's faults come in many classes
            raise _said(fault) from fault


def _itself(number: int) -> int:
    return number


def _values(pairs: Iterable[tuple[int, Any]]) -> Iterator[Any]:
    return (value for _, value in pairs)


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
    if "Py4J" not in type(fault).__name__ and "pyspark" not in type(fault).__module__:
        return fault
    return HushwoodError(f"Spark could not finish the work ({_last_cause(text)}); {again}")


def _last_cause(text: str) -> str:
    causes = [line for line in text.splitlines() if line.startswith(("Caused by:", ":"))]
    return (
        (causes or text.splitlines() or ["no reason given"])[-1].removeprefix("Caused by:").lstrip(": ")[:300]
    )
