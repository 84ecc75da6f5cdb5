"""Policies as lines: all of them in a list, one of them with the source of every number."""

from __future__ import annotations

from dataclasses import replace

from hushwood.policies.policy import built_in_names, policy_named
from hushwood.reports.policies import policy_lines
from hushwood.reports.wording import WIDEST
from support.sample_verdicts import policy


def joined(lines: list[str]) -> str:
    return " ".join(" ".join(lines).split())


def test_several_policies_are_listed_with_title_and_recipient() -> None:
    policies = [policy_named(name) for name in built_in_names()]
    lines = policy_lines(policies)

    assert len(lines) == len(policies) + 1
    for found, line in zip(policies, lines[1:], strict=True):
        assert line.split("  ")[1] == found.name
        assert found.title in line
        assert line.endswith(found.recipient)


def test_one_policy_is_explained_with_every_source() -> None:
    lines = policy_lines([policy()])
    text = joined(lines)

    assert lines[0] == "tested: For a test. For the public."
    assert "at most 5 points (Nearest-record linkage, average record; linkage.excess)" in text
    assert text.count("Source: a book (secondary source).") == 1
    assert "Note: Read it twice." in text
    assert text.endswith("Of 4 numbers, 3 are ours and 1 was read in a source that quotes it.")


def test_every_built_in_policy_fits_and_says_whose_its_numbers_are() -> None:
    for name in built_in_names():
        found = policy_named(name)
        lines = policy_lines([found])
        assert max(map(len, lines)) <= WIDEST
        text = joined(lines)
        for requirement in found.requirements:
            assert " ".join(requirement.source.split()) in text
        assert f"Of {len(found.requirements)} numbers" in text


def test_a_margin_of_ours_is_counted_as_ours() -> None:
    (first, *_) = policy().requirements
    margin = replace(first, source="a book; the margin is ours", secondary=False)
    quoted = replace(first, source="the hours of others")

    assert policy_lines([replace(policy(), requirements=(margin,))])[-1] == "Of 1 number, 1 is ours."
    assert "none are ours and 1 was read" in policy_lines([replace(policy(), requirements=(quoted,))])[-1]
