"""A user who follows the advice of every verdict to the letter reaches a cleared release, or is sent to `tune`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pytest

from hushwood.jobs.release import Release, release
from hushwood.jobs.requests import ReleaseRequest
from hushwood.policies.advice import followed
from hushwood.tables.reading import Reading, read
from hushwood.tables.schema import Role
from support.clinical import clinical
from support.real_data import data_folder, existing

STEPS = 3
TABLES: Mapping[str, tuple[str, tuple[str, ...]]] = {
    "adult": ("income", ()),
    "crx": ("A16", ()),
    "cmc": ("contraceptive_method", ()),
    "wbc": ("Class", ("Sample_code_number",)),
    "mushroom": ("poisonous", ()),
    "wine": ("class", ()),
}


def follow(reading: Reading, request: ReleaseRequest) -> list[tuple[str, Release]]:
    """The releases of a user who makes every change that is advised, and what was changed before each."""
    done = release(reading, request)
    made = [("", done)]
    for _ in range(STEPS):
        changes = done.verdict.changes
        if done.cleared or not changes:
            break
        options, evidence = followed(request.options, request.evidence, changes)
        request = replace(request, options=options, evidence=evidence)
        done = release(reading, request)
        made.append((" ".join(change.option for change in changes), done))
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


@pytest.mark.slow
@pytest.mark.parametrize("name", TABLES)
def test_the_papers_tables(name: str) -> None:
    target, identifiers = TABLES[name]
    roles: Mapping[str, Role] = dict.fromkeys(identifiers, "identifier")
    reading = read(existing(data_folder() / name / f"{name}.csv"), target=target, roles=roles, missing=["?"])
    check(name, follow(reading, ReleaseRequest(seed="5a" * 32)))


@pytest.mark.slow
def test_a_clinical_table() -> None:
    check("clinical", follow(read(clinical(3_000), target="returns"), ReleaseRequest(seed="5a" * 32)))
