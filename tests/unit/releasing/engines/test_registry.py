from __future__ import annotations

import pytest

from hushwood.errors import InputError
from hushwood.releasing.engines.registry import ENGINES, PLANNED, engine_named


@pytest.mark.parametrize("name", ENGINES)
def test_engines_by_name(name: str) -> None:
    assert engine_named(name) is ENGINES[name]


def test_auto_is_one_of_them() -> None:
    assert engine_named("auto") in ENGINES.values()


@pytest.mark.parametrize("name", PLANNED)
def test_planned_engines_say_so(name: str) -> None:
    with pytest.raises(InputError, match=f"{name} engine is not there yet"):
        engine_named(name)


def test_unknown_engines_are_refused_with_the_nearest_name() -> None:
    with pytest.raises(InputError, match=r"engine 'memry'\. Did you mean 'memory'"):
        engine_named("memry")
