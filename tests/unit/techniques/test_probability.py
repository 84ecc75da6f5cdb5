from __future__ import annotations

import pytest

from hushwood.errors import InputError
from hushwood.techniques.probability import checked_probability


@pytest.mark.parametrize("value", [0.0, 0.3, 1.0])
def test_probabilities_pass(value: float) -> None:
    assert checked_probability("p", value) == value


@pytest.mark.parametrize("value", [-0.1, 1.1, float("nan"), float("inf")])
def test_others_do_not(value: float) -> None:
    with pytest.raises(InputError, match="chance must lie between 0 and 1"):
        checked_probability("chance", value)
