"""Every test has a ledger of its own: no test sees what another released, and none writes to the user's.

Evidence within the tests' process makes two throw-away releases, not up to 24, and one setting is tried on one before
it is advised: those took most of the tests' time.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import replace

import pytest

_NUMBERS = itertools.count()


def _own_ledger(factory: pytest.TempPathFactory) -> Iterator[None]:
    from hushwood.jobs.folder.keys import VARIABLE

    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(VARIABLE, str(factory.getbasetemp() / "ledgers" / str(next(_NUMBERS)) / "ledger.json"))
        yield


@pytest.fixture(autouse=True, scope="module")
def ledger_of_module_fixtures(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """For fixtures that a whole file shares."""
    yield from _own_ledger(tmp_path_factory)


@pytest.fixture(autouse=True)
def ledger_of_test(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """For the test itself and for commands that it starts."""
    yield from _own_ledger(tmp_path_factory)


@pytest.fixture(autouse=True, scope="session")
def few_throw_away_releases() -> Iterator[None]:
    """For all tests but those that give an effort of their own; the usual efforts are tested in test_levels."""
    from hushwood.evaluation import levels
    from hushwood.evaluation.controls import Effort
    from hushwood.tuning import tried_advice

    with pytest.MonkeyPatch.context() as patch:
        for name in ("QUICK", "FULL"):
            level = getattr(levels, name)
            patch.setattr(levels, name, replace(level, effort=replace(level.effort, releases=2)))
        patch.setattr(tried_advice, "MOST", 1)
        patch.setattr(tried_advice, "ROUGH", replace(tried_advice.ROUGH, effort=Effort(releases=1)))
        patch.setattr(tried_advice, "SURER", Effort(releases=1))
        yield
