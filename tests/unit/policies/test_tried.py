"""What was found about a setting that was tried, as plain data."""

from __future__ import annotations

import json

from hushwood.policies.advice import FULL_EVIDENCE, Change, Changes
from hushwood.policies.tried import Tried


def test_it_is_read_back_as_it_was() -> None:
    changes = Changes([Change("k", 60, "--k 60"), Change("blur", 30, "--blur 30"), FULL_EVIDENCE])
    tried = Tried(changes, {"linkage.excess": (0.04, 0.01, 0.07)}, ("linkage.excess",), 3, 0.8, 0.9, "open")
    assert Tried.from_json(json.loads(json.dumps(tried.to_json()))) == tried
    assert tried.changes.settings.options == "--k 60 --blur 30"
