"""A first release: is it cleared, and what to change if not.

A table of 1,000 invented people who ask for credit goes to the public. The first try is not cleared; the advice says
what to change.
"""

from __future__ import annotations

import warnings

import hushwood as hw
from hushwood.demo.synthetic_tables import credit_risk

SEED = "1" * 64  # so that you see the same numbers; leave it out when it counts
warnings.simplefilter("ignore", hw.HushwoodWarning)  # it says that this seed is no secret

table = credit_risk(1_000, SEED)
done = hw.release(table, policy="public", seed=SEED)

print(done)
for check in done.verdict.checks:
    if check.estimate is not None:  # linkage has none: no released record stands for one person
        upper = 100 * check.estimate.high
        print(f"  {check.name:42}up to {upper:.0f} points, allowed {100 * check.requirement.at_most:.0f}")
print("What to change:", " ".join(change.option for change in done.verdict.changes) or "nothing that helps")

kept, records = done.certificate["kept"], done.certificate["records"]
print(f"{kept} of {records} records lie in a leaf of the published tree.")
print(f"Released: {done.frame.height} records, {done.frame.width} columns.")
