from __future__ import annotations

from pathlib import Path

from hushwood.policies.policy import built_in_names
from support.command_line import Command, refused


def test_all_policies_are_listed(hushwood: Command) -> None:
    done = hushwood("policies")
    assert done.code == 0
    assert [name for name in built_in_names() if name not in done.out] == []


def test_some_are_explained_with_their_sources(hushwood: Command) -> None:
    done = hushwood("policies", "ema-0070", "internal")
    assert done.code == 0
    assert "at most 9 points" in done.out
    assert "European Medicines Agency, Policy 0070" in " ".join(done.out.split())
    assert "Membership is not asked" in done.out


def test_a_policy_of_ones_own(hushwood: Command) -> None:
    Path("ours.toml").write_text(
        'title = "Ours"\nrecipient = "partners"\nsays = "For partners."\nsource = "our board"\n'
        '[[limits]]\ndisclosure = "identity"\nmeasure = "linkage.excess"\nat_most = 0.03\nsource = "our board"\n',
        "utf-8",
    )
    done = hushwood("policies", "ours.toml")
    assert done.code == 0
    assert "at most 3 points" in done.out


def test_an_unknown_policy(hushwood: Command) -> None:
    refused(hushwood("policies", "publik"), "Did you mean 'public'?")
