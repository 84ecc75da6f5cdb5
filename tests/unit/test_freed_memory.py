from __future__ import annotations

import ctypes

import pytest

from hushwood.freed_memory import give_back_freed_memory


def test_glibc_is_asked_for_everything(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []

    class Library:
        malloc_trim = asked.append

    monkeypatch.setattr(ctypes, "CDLL", lambda name: Library)
    give_back_freed_memory()
    assert asked == [0]


def test_other_libraries_are_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    called: list[object] = []

    def library(name: object) -> object:
        called.append(name)
        return object()

    monkeypatch.setattr(ctypes, "CDLL", library)
    give_back_freed_memory()
    assert called == [None]
