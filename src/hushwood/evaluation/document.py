"""The evaluation of a release as one JSON document; reports are made from it alone.

The numbers come from `release_facts` and `distributions`; later measures and attacks join the same lists.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hushwood.evaluation import release_facts as facts
from hushwood.evaluation.distributions import distribution_facts
from hushwood.tables.table import Table, class_labels
from hushwood.trees.forest import Forest
from hushwood.trees.model_file import forest_to_json

FORMAT = "hushwood-evaluation"
VERSION = 1


def evaluation_document(
    original: Table,
    released: Table,
    *,
    segment_ids: NDArray[np.integer],
    plan: Sequence[Mapping[str, Any]],
    certificate: Mapping[str, Any],
    forest: Forest | None = None,
    warnings: Sequence[str] = (),
    about: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """All that is known about a release whose rows are paired with the original's.

    `plan` entries are `{"columns", "technique", "acronym", "says", "keeps_segment"}`; `about` may name the
    "table", the "technique", the "noise", the time it was "made" and the "hushwood" version.
    """
    return {
        "format": FORMAT,
        "version": VERSION,
        "pairing": "rows",
        "schema": facts.schema_facts(original),
        "measures": _measures(original, released, segment_ids, plan),
        "attacks": [],
        "forests": {} if forest is None else {"original": forest_to_json(forest)},
        "release": {
            "about": dict(about or {}),
            "records": original.rows,
            "plan": [dict(entry) for entry in plan],
            "certificate": dict(certificate),
            "segments": facts.segment_facts(segment_ids),
            "rare_categories": facts.rare_categories(original, released),
            "unique_extremes": facts.unique_extremes(original, released),
            "distributions": distribution_facts(original, released),
            "warnings": list(warnings),
        },
    }


def _measures(
    original: Table, released: Table, segment_ids: NDArray[np.integer], plan: Sequence[Mapping[str, Any]]
) -> list[dict[str, Any]]:
    perturbed = facts.perturbed_columns(plan, original)
    measures = [facts.unchanged_cells(original, released, perturbed)]
    if original.schema.class_attribute is None:
        reason = "No class column is set, so no class can change."
        measures.append({"name": "changed_classes", "not_computable": reason})
    else:
        before, after = class_labels(original)[0], class_labels(released)[0]
        measures.append(facts.changed_classes(before, after, segment_ids))
    return measures
