"""Ways have names of their own, and say what a release is asked for."""

from __future__ import annotations

from hushwood.experiments.thesis_frameworks.ways import (
    EXTENDED,
    FRAMEWORK,
    LESS_NOISE,
    LITERAL,
    MORE_CHANGES,
    NEARER,
    ORIGINAL,
    OWN,
    RANDOM,
    THESIS,
    runs_of,
)


def test_names_are_their_own() -> None:
    ways = (*THESIS, LITERAL, LESS_NOISE, *NEARER, *MORE_CHANGES, *OWN)
    assert len({str(way) for way in ways}) == len(ways)
    assert str(EXTENDED) == "extended-framework (gadp)"
    assert str(LESS_NOISE) == "framework (noise 13.5 %)"
    assert str(NEARER[1]) == "gadp (rho 0.6, class left out)"


def test_options_say_only_what_is_not_usual() -> None:
    assert FRAMEWORK.options() == {"technique": "framework", "correlated": None, "capt": "strict"}
    assert LITERAL.options()["capt"] == "literal"
    assert LESS_NOISE.options()["noise"] == 0.135
    assert NEARER[1].options()["settings"] == {"gadp": {"rho": 0.6, "given": ()}}


def test_the_framework_is_run_most_often() -> None:
    assert [runs_of(way, 100) for way in (ORIGINAL, FRAMEWORK, RANDOM)] == [1, 100, 20]
    assert [runs_of(way, 3) for way in (ORIGINAL, FRAMEWORK, RANDOM)] == [1, 3, 1]
