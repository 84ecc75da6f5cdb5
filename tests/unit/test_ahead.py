from __future__ import annotations

from collections.abc import Iterator
from threading import Event, Lock

import pytest

from hushwood.ahead import ahead


@pytest.mark.parametrize("threads", [0, 1, 3])
def test_results_come_in_the_order_of_the_tasks(threads: int) -> None:
    assert list(ahead(lambda n: n * n, range(20), threads)) == [n * n for n in range(20)]


def test_only_a_few_tasks_are_begun_before_their_results_are_taken() -> None:
    asked: list[int] = []

    def tasks() -> Iterator[int]:
        for n in range(100):
            asked.append(n)
            yield n

    results = ahead(lambda n: n, tasks(), 2)
    for taken in range(10):
        assert next(results) == taken
        assert len(asked) <= taken + 3


def test_a_slow_task_does_not_let_others_overtake_it() -> None:
    """The first task ends only after the second has."""
    second_done = Event()

    def work(n: int) -> int:
        if n == 0:
            assert second_done.wait(60)
        elif n == 1:
            second_done.set()
        return n

    assert list(ahead(work, range(4), 2)) == [0, 1, 2, 3]


def test_a_fault_is_not_hidden_and_ends_the_work() -> None:
    begun: list[int] = []
    lock = Lock()

    def work(n: int) -> int:
        with lock:
            begun.append(n)
        return 10 // (n - 3)

    with pytest.raises(ZeroDivisionError):
        list(ahead(work, range(1_000), 2))
    assert len(begun) < 10
