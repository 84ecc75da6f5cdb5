"""Evidence of two throw-away releases, not up to 24, and advice that was not tried: what most tests need.

The usual efforts are tested in `test_levels`; tests of advice ask for the fixture `tried_advice`, or for `usual_tries`.
`python -m support.few_releases WORDS…` is `hushwood WORDS…` with them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any


def make_few(put: Callable[[Any, str, Any], None] = setattr) -> None:
    """Put the smaller efforts in place of the usual ones."""
    from hushwood.evaluation import levels
    from hushwood.evaluation.controls import Effort
    from hushwood.tuning import tried_advice

    for name in ("QUICK", "FULL"):
        level = getattr(levels, name)
        put(levels, name, replace(level, effort=replace(level.effort, releases=2)))
    put(tried_advice, "with_tried_advice", untried)
    put(tried_advice, "MOST", 1)
    put(tried_advice, "ROUGH", replace(tried_advice.ROUGH, effort=Effort(releases=1)))
    put(tried_advice, "SURER", Effort(releases=1))


def untried(verdict: Any, *_given: object) -> Any:
    """The verdict with what it advises of itself: trying that takes half of the time of evidence."""
    return verdict


if __name__ == "__main__":
    from hushwood.cli.main import command

    make_few()
    command()
