"""How Hypothesis draws examples: the same ones in every run of the tests, others in every run of `make fuzz`."""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

# Neither a deadline nor the check for slow drawing: both fail on a machine that is busy with something else.
PATIENT = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow], database=None)
settings.register_profile("steady", PATIENT, derandomize=True)
settings.register_profile("fuzz", PATIENT, print_blob=True)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "steady"))
