"""Releases by other hands: each is judged, or a measure says why it cannot be; nothing turns into NaN."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

import pytest

import hushwood as hw
from hushwood.attacks.registry import ATTACKS
from hushwood.measures.registry import MEASURES
from hushwood.reports.release.terminal import audit_lines
from support.foreign_releases import FOREIGN, people

PAIRED = {"with_noise", "generalised", "texts_only"}

each_release = pytest.mark.parametrize("name", FOREIGN)


@cache
def judged(name: str) -> Any:
    frame = people()
    return hw.audit(
        frame,
        FOREIGN[name](frame),
        target="ill",
        roles={"name": "identifier", "age": "quasi-identifier", "sex": "quasi-identifier"},
    )


@each_release
def test_every_measure_and_attack_answers_or_says_why_not(name: str) -> None:
    document = json.loads(json.dumps(judged(name).document, allow_nan=False))

    asked = {name for name, make in MEASURES.items() if not make().of_weights}
    assert {entry["name"] for entry in document["measures"]} == asked
    assert {entry["name"] for entry in document["attacks"]} == set(ATTACKS)
    for entry in (*document["measures"], *document["attacks"]):
        if "not_computable" in entry:
            assert entry["not_computable"].endswith("."), entry["name"]
    answered = [entry for entry in document["measures"] if "value" in entry]
    assert len(answered) > len(MEASURES) / 2


@each_release
def test_only_rows_that_are_alike_are_paired(name: str) -> None:
    document = judged(name).document
    attacks = {entry["name"]: entry for entry in document["attacks"]}

    assert document["pairing"] == ("rows" if name in PAIRED else "none")
    assert ("success" in attacks["linkage"]) == (name in PAIRED)


@each_release
def test_the_report_can_be_made(name: str) -> None:
    page = judged(name).to_html()

    assert "NaN" not in page.split("<script>")[0]
    assert "</html>" in page


def test_what_was_generalised_is_counted() -> None:
    loss = judged("generalised")["generalisation_loss"]

    assert 0.2 < loss.value < 1
    assert judged("with_noise")["generalisation_loss"].value == 0


def test_k_of_a_generalised_release_is_higher() -> None:
    assert judged("generalised")["k_anonymity"].value > judged("with_noise")["k_anonymity"].value


def test_little_noise_is_found_out() -> None:
    attack = judged("with_noise")["linkage"]

    assert attack.entry["interval"][0] > 10 * attack.entry["naive"]
    assert judged("with_noise")["unchanged_cells"].value > 0.4


def test_a_column_pairs_reordered_rows() -> None:
    frame = people()
    released = frame.sample(fraction=1, shuffle=True, seed=2)

    found = hw.audit(frame, released, target="ill", match="name", only=["linkage", "unchanged_cells"])

    assert found["unchanged_cells"].value == 1
    assert found["linkage"].value > 0.9


def test_a_column_that_cannot_be_compared_is_told_first() -> None:
    frame = people()
    released = FOREIGN["with_noise"](frame).rename({"age": "years"})

    found = hw.audit(frame, released, target="ill", roles={"name": "identifier"}, only=["linkage"])

    assert "WARNING: age could not be compared" in " ".join(audit_lines(found.evaluation)[1:3])
    assert "One column could not be compared" in found.to_html().replace("<strong>", "")
    assert not any("WARNING" in line for line in audit_lines(judged("with_noise").evaluation))
