"""A user who follows the advice of every verdict to the letter reaches a cleared release, or is sent to `tune`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import pairwise

import numpy as np
import polars as pl
import pytest

from hushwood.jobs.release import Release, release
from hushwood.jobs.requests import ReleaseRequest
from hushwood.policies.advice import followed
from hushwood.policies.policy import policy_from_toml
from hushwood.random_streams import Streams
from hushwood.releasing.options import PerturbOptions
from hushwood.tables.reading import Reading, read
from hushwood.tables.schema import Role
from support.clinical import clinical
from support.questionnaires import questionnaire
from support.real_data import data_folder, existing
from support.tries import usual_tries

STEPS = 3
KEYS = ("5a" * 32, "17" * 32)
TABLES: Mapping[str, tuple[str, tuple[str, ...]]] = {
    "adult": ("income", ()),
    "crx": ("A16", ()),
    "cmc": ("contraceptive_method", ()),
    "wbc": ("Class", ("Sample_code_number",)),
    "mushroom": ("poisonous", ()),
    "wine": ("class", ()),
}


def follow(reading: Reading, request: ReleaseRequest) -> list[tuple[str, Release]]:
    """The releases of a user who makes every change that is advised, each with its own key, and what was changed."""
    keys = Streams(bytes.fromhex(str(request.seed)))
    done = release(reading, request)
    made = [("", done)]
    for step in range(STEPS):
        changes = done.verdict.changes
        if done.cleared or not changes:
            break
        options, evidence = followed(request.options, request.evidence, changes)
        key = keys.derive("a test", "step", step).hex()
        request = replace(request, options=options, evidence=evidence, seed=key)
        done = release(reading, request)
        made.append((changes.options, done))
    return made


def check(name: str, made: list[tuple[str, Release]]) -> None:
    for changed, done in made:
        found = "; ".join(
            f"{c.name} {c.status}" + (f" {c.estimate.value:.3f}..{c.estimate.high:.3f}" if c.estimate else "")
            for c in done.verdict.checks
        )
        print(f"{name} [{changed or 'default'}] {done.verdict.status}: {found}")  # noqa: T201 - shown with -s
    last = made[-1][1]
    said = " ".join(c.advice.says for c in last.verdict.checks)
    assert last.cleared or (not last.verdict.changes and "hushwood tune" in said)


def promised(made: list[tuple[str, Release]]) -> None:
    """Whatever was set had been tried, and no check found more than the upper end that was found then."""
    for (_, before), (_, after) in pairwise(made):
        changes = before.verdict.changes
        if not changes.settings:
            continue
        (tried,) = [one for one in before.verdict.tried if one.changes == changes]
        for one in after.verdict.checks:
            if one.estimate is not None and one.name in tried.found:
                assert one.estimate.value <= tried.found[one.name][2]


@pytest.mark.parametrize("key", KEYS)
def test_a_small_questionnaire(key: str) -> None:
    """Noise on each of many items leaves a trace of the person in each, so other techniques than the default destroy
    it or show who is who: what was tried says so before anyone follows it.
    """
    reading = read(questionnaire(150, 25), target="outcome", missing=["-99"])
    made = follow(reading, ReleaseRequest(seed=key))
    promised(made)
    assert all(done.manifest["technique"] == "segment-shuffle" for _, done in made)
    assert all(tried.found for _, done in made for tried in done.verdict.tried)


FAR_OUT = """
title = "Ends"
recipient = "public"
says = "Nobody far out is found."
source = "a test"

[[limits]]
disclosure = "identity"
measure = "extremes"
at_most = 0.0
source = "a test"
"""


def test_a_number_far_out_is_coded() -> None:
    """Noise that is wrapped around the whole domain ends where the domain does, at the one large salary."""
    draw = np.random.default_rng(3)
    salary = draw.lognormal(10.5, 0.4, 400).round()
    salary[7] = 2_345_600
    table = pl.DataFrame(
        {"age": draw.integers(18, 70, 400), "salary": salary, "ill": draw.integers(0, 2, 400)}
    )
    options = PerturbOptions(technique="forest-framework", noise=0.5)
    request = ReleaseRequest(options, seed="5a" * 32, policy=policy_from_toml(FAR_OUT, "ends"))
    made = follow(read(table.with_columns(pl.col("ill").cast(str)), target="ill"), request)
    assert [(changed, done.cleared) for changed, done in made] == [
        ("", False),
        ("--top-code salary=97%", True),
    ]


@pytest.mark.slow
@pytest.mark.parametrize("key", KEYS)
def test_a_questionnaire(key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """800 people and 150 items, with the codes for "no answer" among the numbers."""
    usual_tries(monkeypatch)
    made = follow(read(questionnaire(800, 150), target="outcome"), ReleaseRequest(seed=key))
    check("questionnaire", made)
    promised(made)


@pytest.mark.slow
@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize("name", TABLES)
def test_the_papers_tables(name: str, key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    usual_tries(monkeypatch)
    target, identifiers = TABLES[name]
    roles: Mapping[str, Role] = dict.fromkeys(identifiers, "identifier")
    reading = read(existing(data_folder() / name / f"{name}.csv"), target=target, roles=roles, missing=["?"])
    made = follow(reading, ReleaseRequest(seed=key))
    check(name, made)
    promised(made)


@pytest.mark.slow
@pytest.mark.parametrize("key", KEYS)
def test_a_clinical_table(key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    usual_tries(monkeypatch)
    check("clinical", follow(read(clinical(3_000), target="returns"), ReleaseRequest(seed=key)))
