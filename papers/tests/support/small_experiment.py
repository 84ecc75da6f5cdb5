"""An experiment that takes no time: it counts, and can be told to stop in the middle as if it had been killed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from hushwood_papers.paper_tables import PaperTables
from hushwood_papers.protocol import Experiment, Finding, Measured, Outcome, Size, Task


class Killed(BaseException):
    """The process is gone."""


class Counting:
    """Remembers which tasks were run, and is killed when it comes to one of them."""

    def __init__(self, killed_at: str | None = None) -> None:
        self.ran: list[str] = []
        self.killed_at = killed_at

    def run(self, task: Task, tables: PaperTables) -> Outcome:
        del tables
        if task.name == self.killed_at:
            raise Killed
        self.ran.append(task.name)
        return {"found": 10.0 * task.settings["number"]}

    def experiment(self) -> Experiment:
        return Experiment(
            name="disclosure-wbc",  # a registered name, so that printed numbers are found
            title="Counting",
            source="nowhere",
            about=("It counts.",),
            needs=(),
            full=Size(folds=None, repeats=4),
            small=Size(folds=None, repeats=2),
            tasks=tasks,
            run=self.run,
            measure=measure,
        )


def tasks(size: Size) -> Sequence[Task]:
    return [
        Task(f"number {n}", {"number": n}, cost=n, alone=n == 1) for n in range(1, (size.repeats or 0) + 1)
    ]


def measure(outcomes: Mapping[str, Outcome]) -> Measured:
    found = [outcome["found"] for outcome in outcomes.values()]
    return Measured({"found": found}, {"it counts": Finding(True, "it does")})
