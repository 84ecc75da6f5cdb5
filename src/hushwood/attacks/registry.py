"""All attacks by name. To add one: its file, its test, a line here, a line in docs/attacks.md."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from hushwood.attacks.assignment_linkage import AssignmentLinkage
from hushwood.attacks.attribute_inference import AttributeInference
from hushwood.attacks.linkability import Linkability
from hushwood.attacks.linkage import Linkage
from hushwood.attacks.membership import Membership
from hushwood.attacks.outlier_linkage import OutlierLinkage
from hushwood.attacks.probabilistic_linkage import ProbabilisticLinkage
from hushwood.attacks.protocol import Attack
from hushwood.attacks.singling_out import SinglingOut
from hushwood.attacks.spectral_filtering import SpectralFiltering

ATTACKS: Mapping[str, Callable[..., Attack]] = {
    "linkage": Linkage,
    "assignment_linkage": AssignmentLinkage,
    "probabilistic_linkage": ProbabilisticLinkage,
    "outlier_linkage": OutlierLinkage,
    "attribute_inference": AttributeInference,
    "singling_out": SinglingOut,
    "linkability": Linkability,
    "membership": Membership,
    "spectral_filtering": SpectralFiltering,
}
