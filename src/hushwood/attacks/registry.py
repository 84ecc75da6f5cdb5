"""All attacks by name. To add one: its file, its test, a line here, a line in docs/attacks.md."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from hushwood.registry import Registry

if TYPE_CHECKING:
    from hushwood.attacks.protocol import Attack

ATTACKS: Registry[Callable[..., Attack]] = Registry(
    {
        "linkage": "hushwood.attacks.linkage:Linkage",
        "assignment_linkage": "hushwood.attacks.assignment_linkage:AssignmentLinkage",
        "probabilistic_linkage": "hushwood.attacks.probabilistic_linkage:ProbabilisticLinkage",
        "outlier_linkage": "hushwood.attacks.outlier_linkage:OutlierLinkage",
        "attribute_inference": "hushwood.attacks.attribute_inference:AttributeInference",
        "singling_out": "hushwood.attacks.singling_out:SinglingOut",
        "linkability": "hushwood.attacks.linkability:Linkability",
        "membership": "hushwood.attacks.membership:Membership",
        "list_membership": "hushwood.attacks.list_membership:ListMembership",
        "spectral_filtering": "hushwood.attacks.spectral_filtering:SpectralFiltering",
    }
)
