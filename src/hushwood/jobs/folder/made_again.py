"""How a release was made, in memory or for its folder: enough to work out its laws again, and to know its table."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from hushwood.arrays import Array, Integers
from hushwood.random_streams import Streams
from hushwood.segments.partition import sub_domains
from hushwood.tables.persons.units import unit_columns
from hushwood.tables.reading import Reading
from hushwood.tables.recoding.preparation import Preparation
from hushwood.tables.recoding.texts import Labels
from hushwood.tables.schema import Attribute, Schema
from hushwood.tables.table import Table
from hushwood.trees.forest import Forest

if TYPE_CHECKING:
    from hushwood.releasing.fitting import Sample
    from hushwood.releasing.options import PerturbOptions
    from hushwood.releasing.perturb import Perturbed

# Options that decide how fast a release is made, not what it looks like.
RUN_OPTIONS = frozenset({"engine", "chunk_rows", "threads"})


def content_digest(table: Table, threads: int = 1) -> bytes:
    """SHA-256 of the values that a release protects: the same for a file and a frame of one table, in any format.

    Identifiers and ignored columns, the order of columns and that of categories do not count.
    """
    digest = ContentDigest(table.schema)
    digest.add(table, threads)
    return digest.digest()


class ContentDigest:
    """The same, of a table that comes in batches."""

    def __init__(self, schema: Schema) -> None:
        self._columns = {a.name: _ColumnDigest.of(a) for a in schema.kept}

    def add(self, table: Table, threads: int = 1) -> None:
        """Take the next records."""
        with ThreadPoolExecutor(threads) as pool:
            list(pool.map(lambda name: self._columns[name].add(table.columns[name]), self._columns))

    def digest(self) -> bytes:
        """The digest of all records."""
        named = {hashlib.sha256(n.encode()).digest(): c.found.digest() for n, c in self._columns.items()}
        return hashlib.sha256(b"".join(name + named[name] for name in sorted(named))).digest()


@dataclass(frozen=True, slots=True)
class _ColumnDigest:
    """A running hash; `places` are the codes of categories in the order of their texts, the last for missing."""

    found: Any
    places: Array | None

    @classmethod
    def of(cls, attribute: Attribute) -> _ColumnDigest:
        if attribute.kind == "numeric":
            return cls(hashlib.sha256(b"numeric"), None)
        texts = [text.encode("utf-8", "surrogatepass") for text in attribute.categories]
        places = np.empty(len(texts) + 1, np.int32)
        order = sorted(range(len(texts)), key=texts.__getitem__)
        places[order], places[-1] = np.arange(len(texts)), -1
        found = hashlib.sha256(b"categorical")
        for place in order:
            found.update(len(texts[place]).to_bytes(8, "big") + texts[place])
        return cls(found, places)

    def add(self, values: Array) -> None:
        if self.places is not None:
            self.found.update(self.places[values].data)
            return
        plain = values + 0.0  # no negative zero
        plain[np.isnan(plain)] = np.nan  # one bit pattern for all that is missing
        self.found.update(plain.data)


@dataclass(frozen=True, slots=True)
class Made:
    """The settings and the forest of a release, on which rows it was learnt (None: all), and from which table.

    `paired` says whether every record stands for one of the original; `digest` recognises the original, and `reading`
    are the arguments of `read` with which it was read.
    """

    options: PerturbOptions
    forest: Forest = field(repr=False)
    certificate: Mapping[str, Any] = field(repr=False)
    preparation: Preparation
    paired: bool
    labels: Labels
    digest: bytes = field(repr=False)
    sample: Integers | None = field(repr=False)
    reading: Mapping[str, Any] = field(repr=False)

    def is_of(self, original: Table) -> bool:
        """Whether this is the table that was released."""
        return content_digest(original, self.options.threads) == self.digest

    def again(self, original: Table, released: Table) -> Perturbed:
        """The release with its laws, worked out from the prepared original."""
        from hushwood.releasing.fitting import Sample

        sample = Sample.at(self.sample, original)
        return made_again(original, released, self.options, self.forest, self.certificate, sample)


@dataclass(frozen=True, slots=True)
class KnownRelease:
    """What is known of a release that is still in memory, besides its table.

    `order` is the original row of every released one, `numbers` are those of persons or households, `announced` are the
    parameters in its manifest, and `made` says how it was made.
    """

    order: Integers | None = None
    numbers: Integers | None = None
    announced: Mapping[str, Any] | None = None
    made: Made | None = None


def made_of(
    reading: Reading,
    perturbed: Perturbed,
    preparation: Preparation,
    certificate: Mapping[str, Any],
    digest: bytes,
    streams: Streams,
) -> Made:
    """What is to be kept of a release in memory; the key is not."""
    from hushwood.releasing.forest_for import sampled_rows

    options = perturbed.options
    return Made(
        options,
        perturbed.forest,
        certificate,
        preparation,
        perturbed.paired,
        perturbed.labels,
        digest,
        sampled_rows(range(reading.table.rows), options.forest_rows, streams),
        {**reading.form, "schema": reading.table.schema},
    )


def plan_of(reading: Reading, perturbed: Perturbed, preparation: Preparation) -> dict[str, Any]:
    """The same for the folder of a release, as plan.json holds it; the key stands elsewhere."""
    return preparation.to_json() | {
        "input": dict(reading.form),
        "options": {k: v for k, v in asdict(perturbed.options).items() if k not in RUN_OPTIONS},
        "recipe": perturbed.plan.recipe,
        "over": perturbed.plan.over,
        "steps": perturbed.plan.described(reading.table.schema),
        "laws": [step.perturber.law().described() for step in perturbed.steps],
        "sub_domains": sub_domains(perturbed.segments, reading.table.schema),
    }


def made_again(
    original: Table,
    released: Table,
    options: PerturbOptions,
    forest: Forest,
    certificate: Mapping[str, Any],
    sample: Sample,
) -> Perturbed:
    """How a release was made, its segments and laws worked out again from what was found when it was made.

    `original` may be the sample itself, if it is all that is there.
    """
    from hushwood.releasing.perturb import laid_out
    from hushwood.releasing.planning import make_plan

    if unit_columns(original.schema):
        from hushwood.releasing.persons.perturb_persons import made_again as of_persons

        return replace(of_persons(original, released, options, forest), certificate=certificate)
    schema = original.schema
    plan = make_plan(options.with_noise_of(schema), schema, sample.of)
    fit = laid_out(original, plan, forest, options, sample)
    return replace(fit.perturbed(released), certificate=certificate)
