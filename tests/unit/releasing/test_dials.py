"""The one setting of a recipe that protects more."""

from __future__ import annotations

import pytest

from hushwood.releasing.dials import Dial
from hushwood.releasing.options import PerturbOptions
from hushwood.releasing.recipes import RECIPES, dial_of
from hushwood.techniques.cart_synthesis import CartSynthesis

K = Dial("k", (10, 20, 50, 100))
NOISE = Dial("noise", (0.25, 0.5, 1.0), most=1.0)
LEAF = Dial("cart-synthesis.min_leaf", (5, 10))
DIALS = {name: dial for name in RECIPES if (dial := dial_of(name)) is not None}


def test_where_it_stands_now() -> None:
    assert K.now(PerturbOptions(k=30), 1_000) == 30
    assert K.now(PerturbOptions(), 120) == PerturbOptions().smallest_segment(120) == 12
    assert NOISE.now(PerturbOptions("forest-framework", noise=0.5), 1_000) == 0.5
    assert LEAF.now(PerturbOptions("cart-synthesis"), 1_000) == CartSynthesis().min_leaf
    given = PerturbOptions("cart-synthesis", settings={"cart-synthesis": {"min_leaf": 7}})
    assert LEAF.now(given, 1_000) == 7


@pytest.mark.parametrize(
    ("now", "times", "records", "raised"),
    [
        (20, 2.0, 10_000, 80),  # with the root: four times as large
        (20, 1.0, 10_000, 21),  # never less than one more
        (20, 0.5, 10_000, 21),
        (21, 1.05, 10_000, 25),  # 23.2, in steps of five
        (21, 2.3, 10_000, 120),  # 111.1, in steps of ten
        (21, 5.0, 10_000, 550),  # 525, in steps of fifty
        (20, 100.0, 1_000, 500),  # two groups must remain
        (499, 1.0, 1_000, 500),
    ],
)
def test_it_is_raised_with_the_square(now: float, times: float, records: int, raised: float) -> None:
    assert K.raised(now, times, records) == raised


def test_it_ends() -> None:
    assert K.raised(500, 2.0, 1_000) is None
    assert NOISE.raised(1.0, 2.0, 1_000) is None
    assert NOISE.raised(0.9, 2.0, 1_000) == 1.0
    assert NOISE.raised(0.25, 1.2, 1_000) == 0.36


def test_another_power() -> None:
    assert Dial("k", (10,), falls=1.0).raised(20, 2.0, 10_000) == 40
    assert Dial("k", (10,), falls=0.25).raised(10, 2.0, 10_000) == 160


def test_what_is_worth_trying() -> None:
    assert K.values_for(100) == (10, 20, 50)
    assert K.values_for(1_000) == (10, 20, 50, 100)
    assert NOISE.values_for(10) == (0.25, 0.5, 1.0)


def test_what_follows() -> None:
    dial = Dial("k", (10,), follows=("blur", 0.5))
    exact, drawn = PerturbOptions(redraw=0), PerturbOptions()
    assert dial.applied(exact, 80) == PerturbOptions(k=80, blur=40, redraw=0)
    assert dial.applied(exact, 8) == PerturbOptions(k=8, blur=5, redraw=0)
    assert dial.applied(drawn, 80) == PerturbOptions(k=80)
    said = dial.spelt(exact, 81), dial.spelt(drawn, 81), dial.named(81), K.spelt(exact, 81)
    assert said == ("--k 81 --blur 40", "--k 81", "--k 81", "--k 81")


def test_how_the_command_says_it() -> None:
    options = PerturbOptions()
    assert (K.spelt(options, 50.0), NOISE.spelt(options, 0.36)) == ("--k 50", "--noise 0.36")
    assert LEAF.spelt(options, 10) == "--set cart-synthesis.min_leaf=10"


@pytest.mark.parametrize("name", DIALS)
def test_every_dial_can_be_turned_and_read_again(name: str) -> None:
    dial, options = DIALS[name], PerturbOptions(name)
    for value in dial.values:
        turned = dial.applied(options, value)
        assert dial.now(turned, 10_000) == value
        assert dial.applied(turned, dial.values[0]) == dial.applied(options, dial.values[0])


def test_other_settings_stay() -> None:
    given = PerturbOptions(
        "cart-synthesis", settings={"cart-synthesis": {"min_leaf": 7}, "gadp": {"rho": 0.5}}
    )
    turned = LEAF.applied(given, 20.0)
    assert turned.settings == {"cart-synthesis": {"min_leaf": 20}, "gadp": {"rho": 0.5}}
    assert isinstance(turned.settings["cart-synthesis"]["min_leaf"], int)
