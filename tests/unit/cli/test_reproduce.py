"""`hushwood reproduce` finds its command in another package."""

from __future__ import annotations

import importlib.metadata
import sys
from typing import Annotated

import pytest
import typer

from support.command_line import Command


class Found:
    """An entry point."""

    def load(self) -> object:
        return experiments


def experiments(
    name: Annotated[str, typer.Argument()],
    small: Annotated[bool, typer.Option("--small", help="A small version.")] = False,
) -> None:
    """Stands for the papers' command."""
    typer.echo(f"{name} {small}")
    if name == "failing":
        raise typer.Exit(1)


@pytest.fixture
def found(monkeypatch: pytest.MonkeyPatch) -> list[Found]:
    there = [Found()]
    monkeypatch.setattr(importlib.metadata, "entry_points", lambda **named: there)
    return there


def test_words_options_and_exit_codes_are_handed_on(hushwood: Command, found: list[Found]) -> None:
    assert hushwood("reproduce", "table-1", "--small").out == "table-1 True\n"
    assert hushwood("reproduce", "failing").code == 1
    assert hushwood("reproduce", "table-1", "--huge").code == 2
    assert "A small version." in hushwood("reproduce", "--help").out


def test_without_the_package_one_sentence_says_how_to_get_it(hushwood: Command, found: list[Found]) -> None:
    found.clear()
    ended = hushwood("reproduce")
    assert ended.code == 2
    assert "pip install ./papers" in ended.err
    assert ended.err.count("\n") == 1


def test_help_lists_it_without_loading_it(hushwood: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "hushwood_papers", None)
    assert "reproduce" in hushwood("--help").out
