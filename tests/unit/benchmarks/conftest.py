"""One thread for the libraries: their own threads wait for each other when tests run in parallel."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]


@pytest.fixture(scope="session", autouse=True)
def one_thread() -> Iterator[None]:
    import sklearn.ensemble  # noqa: F401 - only libraries that are loaded can be limited

    with threadpool_limits(1):
        yield
