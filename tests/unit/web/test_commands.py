"""Forms as commands: what is shown is what is run, and no value can pass for an option."""

from __future__ import annotations

import ast
import shlex
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl

import pytest

from hushwood.errors import InputError
from hushwood.web.commands import (
    Command,
    Source,
    accept_command,
    asked_again,
    audit_command,
    compare_command,
    inspect_command,
    release_command,
    repeated,
    tree_command,
    verify_command,
)
from hushwood.web.fields import BadField

SHUFFLE: dict[str, Any] = {"name": "segment-shuffle", "dial": "k"}
NOISE: dict[str, Any] = {"name": "framework", "dial": "noise"}
SYNTHESIS: dict[str, Any] = {"name": "cart-synthesis", "dial": "cart-synthesis.min_leaf"}
SOURCE = Source(
    "data/people.csv", "data/people.csv", "people.schema.toml", ("ill",), {"rank": "not a person"}
)
FORM = {"policy": "public", "output": "out"}


def test_a_release_by_hand() -> None:
    made = release_command(SOURCE, FORM | {"dial": "100", "purpose": " a study "}, SHUFFLE)

    assert made.line == (
        "hushwood release data/people.csv --schema people.schema.toml --class ill --keep 'rank=not a person' "
        "--policy public --purpose 'a study' --technique segment-shuffle --k 100 -o out"
    )
    assert made.lines.splitlines()[2:4] == [
        "table = hw.read_table('data/people.csv', target='ill', schema='people.schema.toml')",
        (
            "done = hw.release(table, policy='public', purpose='a study', keep={'rank': 'not a person'}, "
            "technique='segment-shuffle', k=100, output='out')"
        ),
    ]


@pytest.mark.parametrize("strength", ["hand", "tune"])
def test_a_reason_why_rows_are_people_is_passed_on(strength: str) -> None:
    made = release_command(SOURCE, FORM | {"rows_are_people": " rooms ", "strength": strength}, SHUFFLE)
    assert "--rows-are-people rooms" in made.line
    assert "rows_are_people='rooms'" in made.lines


@pytest.mark.parametrize(
    ("technique", "dial", "words"),
    [
        (NOISE, "0.5", ("--noise", "0.5")),
        (SYNTHESIS, "25", ("--set", "cart-synthesis.min_leaf=25")),
        (SHUFFLE, "", ()),
    ],
)
def test_every_technique_has_its_dial(technique: dict[str, Any], dial: str, words: tuple[str, ...]) -> None:
    made = release_command(Source("p.csv", "p.csv"), FORM | {"dial": dial}, technique)

    assert made.words[made.words.index("--technique") + 2 : -2] == words
    ast.parse(made.lines)


def test_a_plan_with_what_was_advised() -> None:
    """As the button of the result fills it in: k, its blur, redraw, and the technique of the release."""
    view = {
        "technique": "segment-shuffle",
        "changes": [{"setting": "k", "value": 100}, {"setting": "blur", "value": 50}],
    }
    form = FORM | dict(parse_qsl(asked_again(view)))
    made = release_command(SOURCE, form, SHUFFLE)
    assert made.line.endswith("--technique segment-shuffle --k 100 --blur 50 -o out")
    assert "k=100, blur=50" in made.lines
    assert release_command(SOURCE, FORM | {"blur": "50"}, SHUFFLE).line.endswith("--blur 50 -o out")
    assert "--blur" not in release_command(SOURCE, form, NOISE).line
    drawn = FORM | dict(parse_qsl(asked_again({**view, "changes": [{"setting": "redraw", "value": 3.0}]})))
    assert release_command(SOURCE, drawn, SHUFFLE).line.endswith("--redraw 3 -o out")
    assert "--redraw" not in release_command(SOURCE, drawn, NOISE).line
    other = {**view, "changes": [{"setting": "technique", "value": "framework"}]}
    assert asked_again(other) == "technique=framework"


def test_what_is_done_before_any_technique_comes_back_to_the_plan() -> None:
    changes = [{"setting": "rare", "value": "group"}, {"setting": "top_code", "value": ["pay=99%", "age=90"]}]
    form = FORM | dict(parse_qsl(asked_again({"technique": "framework", "changes": changes})))
    made = release_command(SOURCE, form, NOISE)
    assert "--rare group --top-code pay=99% --top-code age=90 --technique framework" in made.line
    assert "rare='group', top_code=['pay=99%', 'age=90']" in made.lines
    ast.parse(made.lines)


def test_a_strength_is_a_number() -> None:
    for technique, dial in ((SHUFFLE, "1.5"), (SHUFFLE, "many"), (NOISE, "much")):
        with pytest.raises(InputError):
            release_command(SOURCE, FORM | {"dial": dial}, technique)


def test_tuning() -> None:
    made = release_command(SOURCE, FORM | {"strength": "tune", "evidence": "full"}, SHUFFLE)

    assert made.words[0] == "tune"
    assert "--technique segment-shuffle -o out" in made.line
    assert "hw.tune(table, policy='public', evidence='full'" in made.lines


def test_a_search_decides_about_rare_levels() -> None:
    with pytest.raises(BadField, match="The search decides about rare levels"):
        release_command(SOURCE, FORM | {"strength": "tune", "rare": "group"}, SHUFFLE)


def test_a_value_cannot_pass_for_an_option() -> None:
    made = release_command(
        Source("-x.csv", "-x.csv", classes=("--force",)), FORM | {"purpose": "--reuse-key"}, SHUFFLE
    )

    assert made.words[1:3] == ("./-x.csv", "--class=--force")
    assert "--purpose=--reuse-key" in made.words
    assert "--reuse-key" not in made.words


def test_strange_names_stay_one_word_and_are_shown_harmlessly() -> None:
    name = 'a\'; rm -rf "$HOME" #\x1b[31m\u202e'
    made = release_command(Source("/session/1/p.csv", "p.csv", classes=(name,)), FORM, SHUFFLE)

    assert name in made.words
    assert made.line.isprintable()
    assert shlex.split(made.line)[2] == "p.csv"
    ast.parse(made.lines)


def test_the_same_release_again() -> None:
    again = repeated(Command(("release", "p.csv", "-o", "out")), "out")

    assert again.line == "hushwood release p.csv --seed-file out/private/key -o out-again"


def test_the_other_commands() -> None:
    source = Source("p.csv", "p.csv", classes=("ill",))
    made = [
        inspect_command(source),
        compare_command(["a", "b"]),
        verify_command("a", source),
        accept_command("a", "because", "me"),
        audit_command(
            source,
            Source("/session/q.csv", "q.csv"),
            {"policy": "public"},
            Path("/session/r"),
            Path("/session/j"),
        ),
        tree_command(source, {"k": "7", "l": "2", "output": "t", "missing": "suppress"}, ["job"]),
    ]
    assert [each.line for each in made] == [
        "hushwood inspect p.csv --class ill",
        "hushwood compare a b",
        "hushwood verify a p.csv",
        "hushwood accept a --reason because --by me",
        "hushwood audit p.csv q.csv --class ill --policy public --evidence quick --json audit.json --report audit.html",
        "hushwood publish-tree p.csv --class ill -k 7 -l 2 --sensitive job --missing-numbers suppress -o t",
    ]
    for each in made:
        ast.parse(each.lines)
    assert "k=7, l=2.0, sensitive=['job'], missing_numbers='suppress', output='t'" in made[-1].lines
