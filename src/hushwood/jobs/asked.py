"""What an audit is asked, with its texts read: measures and attacks that exist, limits, a policy, hierarchies."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from hushwood.errors import InputError
from hushwood.evaluation.levels import Level, check_settings, level_named
from hushwood.jobs.audit_request import AuditRequest
from hushwood.jobs.requests import DEFAULT_POLICY
from hushwood.policies.policy import Limit, Policy, limit_from_text, policy_named, thresholds_in
from hushwood.tables.recoding.taxonomies import Taxonomy, read_hierarchies


@dataclass(frozen=True, slots=True)
class Asked:
    """A request with its texts read: measures and attacks that exist, limits, and hierarchies."""

    request: AuditRequest
    level: Level
    limits: tuple[Limit, ...]
    taxonomies: Mapping[str, Taxonomy]
    policy: Policy | None = None

    @property
    def compares(self) -> bool:
        """Whether it must be known what an intruder learns about people who were never in the table."""
        return self.policy is not None or any(limit.quantity.compares for limit in self.limits)

    @staticmethod
    def of(request: AuditRequest, policy: Policy | None = None) -> Asked:
        """Refuse names that do not exist, and limits, policies and files that cannot be read."""
        if policy is None and (request.policy or request.limits):
            policy = policy_named(request.policy or DEFAULT_POLICY, request.limits)
        if request.made_up:
            if request.match not in {None, "none"}:
                raise InputError(
                    f"Records that were made up stand for no one, so they cannot be matched by {request.match!r}; omit "
                    "--match, or --made-up."
                )
            request = replace(request, match="none")
            policy = None if policy is None else policy.for_made_up()
        check_settings(request.settings)
        level = level_named(request.evidence)
        level = replace(level, settings={**level.settings, **request.settings})
        limits = tuple(limit_from_text(text) for text in request.fail_if)
        level = level.counting(thresholds_in(limit.quantity for limit in limits))
        if request.only:
            level = level.only([*request.only, *(limit.quantity.name for limit in limits)])
        if policy is not None:
            level = level.including(policy.measures, policy.attacks).counting(policy.thresholds)
        return Asked(request, level, limits, read_hierarchies(request.hierarchies), policy)
