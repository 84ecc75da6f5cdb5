"""How much is tried before something is advised: as usual, in tests that are about it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hushwood.evaluation import levels
from hushwood.evaluation.controls import Effort
from hushwood.tuning import tried_advice
from hushwood.tuning.tried_advice import with_tried_advice


def one_try(patch: pytest.MonkeyPatch) -> None:
    """Advice is tried, one setting on one throw-away release."""
    patch.setattr(tried_advice, "with_tried_advice", with_tried_advice)


def usual_tries(patch: pytest.MonkeyPatch) -> None:
    """Undo what conftest.py saves: three settings on three throw-away releases, and 6 or 24 of them as evidence."""
    one_try(patch)
    patch.setattr(tried_advice, "MOST", 3)
    patch.setattr(tried_advice, "ROUGH", replace(tried_advice.ROUGH, effort=Effort(8_000, 3)))
    patch.setattr(tried_advice, "SURER", Effort(4_000, 12))
    patch.setattr(levels, "QUICK", replace(levels.QUICK, effort=Effort()))
    patch.setattr(levels, "FULL", replace(levels.FULL, effort=Effort(20_000, 24)))
