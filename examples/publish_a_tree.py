"""Publish a decision tree together with a table from which anyone can rebuild it.

In the published table at least five records share all that is known about a person, so nobody can be told apart by it.
"""

from __future__ import annotations

import hushwood as hw
from hushwood.demo.synthetic_tables import credit_risk
from hushwood.trees.drawing.as_text import tree_as_text

table = credit_risk(600, "4" * 64)
done = hw.publish_tree(table, k=5)

print(tree_as_text(done.forest.trees[0], done.forest))
print(done.frame.head(4))

verdict = hw.verify_tree(done.frame, done.forest)
print("The table yields exactly this tree:", bool(verdict))
