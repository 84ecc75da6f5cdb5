"""`hushwood policies`: the limits that someone stands behind, and where they come from."""

from __future__ import annotations

from typing import Annotated

import typer

from hushwood.cli.printing import say

Names = Annotated[
    list[str] | None,
    typer.Argument(metavar="[NAME|FILE]...", help="Explain these policies.", show_default="list all"),
]


def policies(names: Names = None) -> None:
    """List the built-in policies, or explain some of them, with the source of every number.

    Example: hushwood policies public
    """
    from hushwood.policies.policy import built_in_names, policy_named
    from hushwood.reports.policies import explained, policy_lines

    if not names:
        for line in policy_lines([policy_named(name) for name in built_in_names()]):
            say(line)
        say("Explain one with hushwood policies NAME; use one with hushwood release --policy NAME.")
        return
    for place, policy in enumerate([policy_named(name) for name in names]):
        for line in ["", ""] * bool(place) + explained(policy):
            say(line)
