"""Limits in words: what they are about, how they are compared, and with what."""

from __future__ import annotations

import pytest

from hushwood.attacks.registry import ATTACKS
from hushwood.errors import InputError
from hushwood.policies.limits import Limit, Quantity, limit_from_text, quantity_from_text


@pytest.mark.parametrize(
    ("text", "limit"),
    [
        ("linkage>0.05", Limit(Quantity("linkage"), ">", 0.05)),
        (" sers <= 8 ", Limit(Quantity("sers"), "<=", 8.0)),
        ("linkage>=5%", Limit(Quantity("linkage"), ">=", 0.05)),
        ("means_and_variances>1e-3", Limit(Quantity("means_and_variances"), ">", 0.001)),
        ("attribute_inference.excess>0.05", Limit(Quantity("attribute_inference", "excess"), ">", 0.05)),
        ("membership.advantage<.1", Limit(Quantity("membership", "advantage"), "<", 0.1)),
    ],
)
def test_limits_are_read(text: str, limit: Limit) -> None:
    assert limit_from_text(text) == limit
    assert limit_from_text(str(limit)) == limit


@pytest.mark.parametrize(
    "text", ["linkage", "linkage>", ">0.05", "linkage=0.05", "linkage>0.0.5", "linkage.>1", "a.b.c>1", ""]
)
def test_other_texts_are_refused(text: str) -> None:
    with pytest.raises(InputError, match="A limit is a name, a comparison and a number"):
        limit_from_text(text)


def test_a_misspelt_name_gets_a_proposal() -> None:
    with pytest.raises(InputError, match="linkage"):
        limit_from_text("linkagee>0.05")


@pytest.mark.parametrize(
    ("text", "can"),
    [
        ("sers.excess", "sers can"),
        ("membership.excess", "membership or membership.advantage can"),
        ("linkage.advantage", "linkage or linkage.excess can"),
        ("spectral_filtering.excess", "spectral_filtering can"),
    ],
)
def test_not_everything_has_an_excess(text: str, can: str) -> None:
    with pytest.raises(InputError, match=f"'{text}' cannot be limited; {can}"):
        quantity_from_text(text)


def test_every_attack_can_be_limited_by_its_success() -> None:
    for name in ATTACKS:
        assert quantity_from_text(name).is_attack
    assert not quantity_from_text("sers").is_attack
