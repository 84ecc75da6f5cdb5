"""Limits in words: what they are about, how they are compared, and with what."""

from __future__ import annotations

import pytest

from hushwood.attacks.registry import ATTACKS
from hushwood.errors import InputError
from hushwood.policies.limits import Limit, Quantity, limit_from_text, quantity_from_text, thresholds_in


@pytest.mark.parametrize(
    ("text", "limit"),
    [
        ("linkage>0.05", Limit(Quantity("linkage"), ">", 0.05)),
        (" sers <= 8 ", Limit(Quantity("sers"), "<=", 8.0)),
        ("linkage>=5%", Limit(Quantity("linkage"), ">=", 0.05)),
        ("means_and_variances>1e-3", Limit(Quantity("means_and_variances"), ">", 0.001)),
        ("attribute_inference.excess>0.05", Limit(Quantity("attribute_inference", "excess"), ">", 0.05)),
        ("membership.advantage<.1", Limit(Quantity("membership", "advantage"), "<", 0.1)),
        ("class_entropy.below>5%", Limit(Quantity("class_entropy", "below"), ">", 0.05)),
        (
            "reidentification_entropy.below( 2.45 ) > 5%",
            Limit(Quantity("reidentification_entropy", "below", 2.45), ">", 0.05),
        ),
    ],
)
def test_limits_are_read(text: str, limit: Limit) -> None:
    assert limit_from_text(text) == limit
    assert limit_from_text(str(limit)) == limit


@pytest.mark.parametrize(
    "text",
    [
        "linkage",
        "linkage>",
        ">0.05",
        "linkage=0.05",
        "linkage>0.0.5",
        "linkage.>1",
        "a.b.c>1",
        "linkage<=1e400",
        "",
    ],
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
        ("sers.below", "sers can"),
    ],
)
def test_not_everything_has_an_excess(text: str, can: str) -> None:
    with pytest.raises(InputError, match=f"'{text}' cannot be limited; {can}"):
        quantity_from_text(text)


def test_every_attack_can_be_limited_by_its_success() -> None:
    for name in ATTACKS:
        assert quantity_from_text(name).is_attack
    assert not quantity_from_text("sers").is_attack


@pytest.mark.parametrize("text", ["class_entropy.below(x)", "class_entropy.below()", "class_entropy.over(3)"])
def test_what_cannot_be_counted_names_what_can(text: str) -> None:
    with pytest.raises(
        InputError, match=r"cannot be limited; class_entropy or class_entropy\.below\(BITS\) can"
    ):
        quantity_from_text(text)
    with pytest.raises(InputError, match=r"cannot be limited; linkage or linkage\.excess can"):
        quantity_from_text("linkage.excess(3)")
    with pytest.raises(InputError, match=r"'3\.\.2' is not a number"):
        quantity_from_text("class_entropy.below(3..2)")


def test_thresholds_by_measure() -> None:
    texts = ("class_entropy.below(1)", "class_entropy.below", "sers", "class_entropy.below(0.5)")
    assert thresholds_in(map(quantity_from_text, texts)) == {"class_entropy": (1.0, 0.5)}
