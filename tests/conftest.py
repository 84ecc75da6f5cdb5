"""How Hypothesis draws examples, the same ones in every run of the tests and others in `make fuzz`; and fixtures."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, settings

from hushwood.jobs.folder.exchange import stop_signals
from support.postgres import Server, missing, running
from support.tries import one_try

# Neither a deadline nor the check for slow drawing: both fail on a machine that is busy with something else.
PATIENT = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow], database=None)
settings.register_profile("steady", PATIENT, derandomize=True, max_examples=50)
settings.register_profile("thorough", PATIENT, derandomize=True)
settings.register_profile("fuzz", PATIENT, print_blob=True)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "steady"))


@pytest.fixture(scope="session")
def postgres() -> Iterator[Server]:
    """A PostgreSQL server that every test may use; each makes its own tables."""
    reason = missing()
    if reason is not None:
        pytest.skip(reason)
    with running() as server:
        yield server


@pytest.fixture
def heeded_signals() -> Iterator[None]:
    """Signals stop a process, as in a terminal, also where the tests were started with `nohup` or in the background."""
    before = {number: signal.getsignal(number) for number in stop_signals()}
    for number, handler in before.items():
        if handler is signal.SIG_IGN:
            signal.signal(number, signal.default_int_handler if number == signal.SIGINT else signal.SIG_DFL)
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


@pytest.fixture
def tried_advice(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a verdict advises is tried on a throw-away release first, as always outside of the tests."""
    one_try(monkeypatch)
