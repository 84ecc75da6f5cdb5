from __future__ import annotations

import pytest

from hushwood.errors import InputError
from hushwood.techniques.gadp import Cgadp, Egadp, Gadp
from hushwood.techniques.shuffle import Rotation, Shuffle
from hushwood.techniques.together.learnt_groups import said_rho


@pytest.mark.parametrize("rho", [0.0, 0.5, 0.999])
@pytest.mark.parametrize("technique", [Gadp, Cgadp, Egadp])
def test_shares_below_one_are_accepted(technique: type[Gadp | Cgadp | Egadp], rho: float) -> None:
    assert technique(rho).rho == rho


@pytest.mark.parametrize("rho", [-0.1, 1.0, 1.5, float("nan"), float("inf")])
@pytest.mark.parametrize("technique", [Gadp, Cgadp, Egadp])
def test_others_are_refused(technique: type[Gadp | Cgadp | Egadp], rho: float) -> None:
    with pytest.raises(InputError, match="at least 0 and below 1"):
        technique(rho=rho)


@pytest.mark.parametrize("technique", [Gadp, Cgadp, Egadp, Shuffle, Rotation])
def test_unknown_places_are_refused(technique: type[Gadp | Cgadp | Egadp | Shuffle | Rotation]) -> None:
    with pytest.raises(
        InputError, match=r"within of [A-Z]+ must be segment or table; 'segments'.*Did you mean 'segment'"
    ):
        technique(within="segments")  # type: ignore[arg-type]


def test_how_reports_say_it() -> None:
    assert said_rho(0.0) == ""
    assert said_rho(0.25) == "; 25% of each value's own deviation stays"
    assert "25%" in Gadp(rho=0.25).says()
    assert Gadp(within="segment").moments == "the means and covariances of the segment"
    assert Gadp().moments == "the means and covariances of the whole table"
