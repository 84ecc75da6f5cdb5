"""How a release of a long table was made, worked out again on the sample that it was learnt on."""

from __future__ import annotations

from dataclasses import replace

from hushwood.arrays import Integers
from hushwood.jobs.folder.release_folder import ReleaseFolder, options_of
from hushwood.jobs.folder.whole_folders import FOREST
from hushwood.releasing.fitting import Fitting, Sample
from hushwood.releasing.linking import linked_columns
from hushwood.releasing.perturbed import Perturbed
from hushwood.releasing.recipes import make_plan
from hushwood.tables.table import Table
from hushwood.trees.model_file import read_forest


def perturbed_sample(
    folder: ReleaseFolder, sample: Table, places: Integers, rows: int, released: Table, threads: int
) -> Perturbed | None:
    """The plan, the segments and the laws of a release, for the sample of a table of that many rows.

    None for a published tree, without the private part, and without the key, which alone finds the sample again.
    """
    options, model, streams = options_of(folder, threads), folder.private_file(FOREST), folder.streams
    if options is None or model is None or streams is None or len(places) > options.forest_rows:
        return None
    schema, forest = sample.schema, read_forest(model)
    options = options.with_noise_of(schema)
    plan = make_plan(options, schema, rows)
    linked = linked_columns(schema, plan, [sample.columns], sample.columns)
    fitting = Fitting.with_forest(Sample(sample, schema, rows, places), options, plan, forest, linked)
    made = fitting.fit(fitting.found()).perturbed(released)
    return replace(made, certificate=folder.manifest["certificate"])
