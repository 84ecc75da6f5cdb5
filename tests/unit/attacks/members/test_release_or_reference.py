from __future__ import annotations

import numpy as np
import pytest

from hushwood.attacks.members import release_or_reference
from hushwood.attacks.members.release_or_reference import likeness
from hushwood.tables.table import Table
from support.intruders import knowing
from support.mixed_tables import category, number, table_of
from support.rearranged_tables import in_another_unit
from support.table_pairs import STREAMS


def numbers(values: list[float], towns: list[int]) -> Table:
    return table_of({"x": (number("x", -90, 90, None), values), "town": (category("town", "ab"), towns)})


def test_targets_like_released_records_score_higher() -> None:
    chance = np.random.default_rng(1)
    released = numbers(chance.normal(0, 1, 300).tolist(), [0] * 300)
    reference = numbers(chance.normal(4, 1, 60).tolist(), [0] * 60)
    targets = numbers([0.0, 0.5, 4.0, 4.5], [0, 0, 0, 0])
    found = likeness(knowing(targets, ["x", "town"], reference=reference.columns), released, STREAMS)
    assert min(found[:2]) > 0 > max(found[2:])
    mirrored = [in_another_unit(table, -2.0, 8.0) for table in (targets, released, reference)]
    knowledge = knowing(mirrored[0], ["x", "town"], reference=mirrored[2].columns)
    assert likeness(knowledge, mirrored[1], STREAMS).tolist() == pytest.approx(found.tolist())


def test_large_releases_are_sampled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(release_or_reference, "MOST_RELEASED", 30)
    seen: list[int] = []

    def scores(
        columns: object, labels: np.ndarray, learn: np.ndarray, *_: object, **__: object
    ) -> np.ndarray:
        seen.append(int(labels[learn].sum()))
        return np.zeros(2)

    monkeypatch.setattr(release_or_reference, "boosted_scores", scores)
    released, reference = numbers([1.0] * 90, [0] * 90), numbers([2.0] * 9, [1] * 9)
    targets = numbers([1.0, 2.0], [0, 1])
    likeness(knowing(targets, ["x", "town"], reference=reference.columns), released, STREAMS)
    assert seen == [30]
