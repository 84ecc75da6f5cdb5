from __future__ import annotations

import pytest

from hushwood.errors import InputError
from hushwood.techniques.cgadp import Cgadp
from hushwood.techniques.egadp import Egadp
from hushwood.techniques.gadp import Gadp
from hushwood.techniques.rotation import Rotation
from hushwood.techniques.security import checked_rho, moments_of, said_rho
from hushwood.techniques.shuffle import Shuffle


@pytest.mark.parametrize("rho", [0.0, 0.5, 0.999])
def test_shares_below_one_are_taken(rho: float) -> None:
    assert checked_rho(rho) == rho


@pytest.mark.parametrize("rho", [-0.1, 1.0, 1.5, float("nan"), float("inf")])
@pytest.mark.parametrize("technique", [Gadp, Cgadp, Egadp])
def test_others_are_refused(technique: type[Gadp | Cgadp | Egadp], rho: float) -> None:
    with pytest.raises(InputError, match="from 0 to below 1"):
        technique(rho=rho)


@pytest.mark.parametrize("technique", [Gadp, Cgadp, Egadp, Shuffle, Rotation])
def test_unknown_places_are_refused(technique: type[Gadp | Cgadp | Egadp | Shuffle | Rotation]) -> None:
    with pytest.raises(InputError, match=r"within 'segments'.*Did you mean 'segment'"):
        technique(within="segments")  # type: ignore[arg-type]


def test_how_reports_say_it() -> None:
    assert said_rho(0.0) == ""
    assert said_rho(0.25) == "; 25% of each value's own deviation stays"
    assert "25%" in Gadp(rho=0.25).says()
    assert moments_of("segment") == "the means and covariances of the segment"
    assert moments_of("table") == "the means and covariances of the whole table"
