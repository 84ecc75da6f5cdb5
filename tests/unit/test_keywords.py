from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass, field, fields
from typing import Annotated, Any

import pytest

import hushwood as hw
from hushwood.errors import UnknownName
from hushwood.keywords import keywords
from hushwood.parameters import Option
from hushwood.releasing.options import PerturbOptions

FUNCTIONS = (hw.release, hw.tune, hw.audit, hw.reconstruct, hw.publish_tree)


@dataclass(frozen=True)
class Cake:
    eggs: Annotated[int, Option("How many eggs; see --oven-heat. May be repeated.", default="enough")] = 3
    spices: Annotated[list[str], Option("What else goes in.")] = field(default_factory=list)
    secret: int = 0


@keywords(options=[Cake], but=["secret"], flour="How much flour.")
def bake(flour: float, *, eggs: int = 2, **options: Any) -> tuple[float, int, dict[str, Any]]:
    """Bake a cake."""
    return flour, eggs, options


def test_fields_become_keywords_and_what_the_function_names_itself_comes_first() -> None:
    assert str(inspect.signature(bake)) == (
        "(flour: 'float', *, eggs: 'int' = 2, spices: list[str] = []) -> 'tuple[float, int, dict[str, Any]]'"
    )
    assert bake(1.5, spices=["clove"]) == (1.5, 2, {"spices": ["clove"]})


def test_every_parameter_is_described_in_the_words_of_the_command() -> None:
    assert bake.__doc__ == (
        "Bake a cake.\n\nParameters\n----------\nflour\n    How much flour.\neggs, default 2\n    How many eggs; see "
        "oven_heat. Default: enough.\nspices, default []\n    What else goes in.\n"
    )


@pytest.mark.parametrize("name", ["spicez", "secret"])
def test_other_keywords_are_refused_with_the_nearest_one(name: str) -> None:
    with pytest.raises(UnknownName, match=f"There is no option '{name}'"):
        bake(1, **{name: 1})


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda function: function.__name__)
def test_public_functions_name_and_describe_all_they_take(function: Callable[..., Any]) -> None:
    parameters = inspect.signature(function).parameters.values()
    assert not [p.name for p in parameters if p.kind is p.VAR_KEYWORD]
    described = (function.__doc__ or "").partition("----------\n")[2].splitlines()
    heads = [place for place, line in enumerate(described) if not line.startswith(" ")]
    assert [described[place].partition(",")[0] for place in heads] == [p.name for p in parameters]
    assert all(described[place + 1].startswith("    ") for place in heads)
    assert "--" not in "\n".join(described).replace("`hushwood inspect --save`", "")


def test_a_release_takes_every_option_of_the_command() -> None:
    taken = inspect.signature(hw.release).parameters
    assert {one.name for one in fields(PerturbOptions)} <= set(taken)
    assert taken["k"].default is None
    assert taken["blur"].default is taken["redraw"].default is None
