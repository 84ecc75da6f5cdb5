"""Collects quickly, and begins with the tests that take longest, so that nothing waits for one of them in the end."""

from __future__ import annotations

import gc
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest
from _pytest.doctest import DoctestModule

# The tests of each take half a minute, or wait for another program; most of all first.
HEAVY = (
    "test_kernel_bounds.py",
    "faults/test_spark.py",
    "test_spark_values.py",
    "browser/test_web.py",
    "browser/test_web_remembers.py",
    "faults/test_accept.py",
    "faults/test_long_releases.py",
    "faults/test_database.py",
    "fuzz/test_readers.py",
    "faults/test_exchange.py",
    "test_noise_2003.py",
)


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Collecting makes hundreds of thousands of objects that all stay: the search for cycles would look at them again
    and again, now and during the tests."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


@pytest.hookimpl(wrapper=True)
def pytest_collect_file(file_path: Path) -> Generator[None, Any, list[Any]]:
    """Files without an example are not searched for examples: that took a seventh of the time of collection."""
    collectors = yield
    return [c for c in collectors if not isinstance(c, DoctestModule) or b">>>" in file_path.read_bytes()]


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The order within a file stays what chance made it."""

    def place(item: pytest.Item) -> int:
        path = item.path.as_posix()
        return next((at for at, end in enumerate(HEAVY) if path.endswith(end)), len(HEAVY))

    items.sort(key=place)
