"""Every test has a ledger of its own: no test sees what another released, and none writes to the user's.

Evidence within the tests' process makes two throw-away releases, not up to 24, and one setting is tried on one before
it is advised: those took most of the tests' time.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import pytest

pytest_plugins = ["support.heavy_first"]
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
    """For all tests but those that give an effort of their own."""
    from support.few_releases import make_few

    with pytest.MonkeyPatch.context() as patch:
        make_few(patch.setattr)
        yield
