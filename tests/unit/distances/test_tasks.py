from __future__ import annotations

from threading import Lock

import pytest

from hushwood.distances.tasks import TARGETS, over_targets


@pytest.mark.parametrize("threads", [0, 1, 3])
@pytest.mark.parametrize("count", [0, 1, TARGETS, TARGETS + 1, 5 * TARGETS - 1])
def test_every_target_is_worked_on_once(count: int, threads: int) -> None:
    done, lock = [0] * count, Lock()

    def work(first: int, last: int) -> None:
        with lock:
            for target in range(first, last):
                done[target] += 1

    over_targets(count, threads, work)
    assert done == [1] * count


def test_a_fault_in_a_task_is_heard() -> None:
    with pytest.raises(ZeroDivisionError):
        over_targets(3, 2, lambda first, last: first // 0)
