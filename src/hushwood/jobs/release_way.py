"""What every way to release a table has in common: in memory, in batches from files or a database, or on Spark.

`release` tells the story; a way knows where the records are, and gives them to an engine of `releasing.engines`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from hushwood.arrays import Integers
from hushwood.jobs.folder.keys import Use
from hushwood.jobs.folder.made_again import Made
from hushwood.jobs.folder.release_files import Writer
from hushwood.jobs.preparing import Prepared
from hushwood.jobs.requests import ReleaseRequest
from hushwood.releasing.certificate import Certificate
from hushwood.releasing.perturbed import Perturbed
from hushwood.releasing.plan import Plan
from hushwood.tables.formats.files import BatchesOnDisk
from hushwood.tables.frames.storage import text_columns
from hushwood.tables.reading import Reading
from hushwood.tables.schema import Schema

if TYPE_CHECKING:
    from hushwood.evaluation.whole_table import WholeTable


@dataclass(frozen=True, slots=True)
class Written:
    """A released table on disk: how it was made, its certificate, how to read it, and what was noted.

    `reading` is the prepared table, or a sample of it, that the release is judged by, and `use` recognises the table
    and the release. `order` is the original row of every released row, `counted` what was counted of a long table, of
    which only a sample is judged, and `made` what an audit in memory needs.
    """

    reading: Reading
    perturbed: Perturbed
    certificate: Certificate
    make_frame: Callable[[], Any]
    use: Use
    noted: tuple[str, ...]
    order: Integers | None = None
    counted: WholeTable | None = None
    made: Made | None = None


class Way(Protocol):
    """Where the records of a release are, and what reads, changes and writes them."""

    def read(self, scratch: Path) -> Reading:
        """Look at the table, or at its sample; `scratch` is removed in the end."""

    def prepare(self, checked: Reading) -> tuple[Reading, Prepared]:
        """Coarser columns, fewer levels, links; also the reading that is released, given the checked one."""

    def learn(self) -> None:
        """Learn from the sample."""

    def write(self, writer: Writer) -> Written:
        """Change the records, write the released table, and certify the file."""

    def close(self) -> None:
        """Close its files."""


def is_shuffled(plan: Plan, request: ReleaseRequest) -> bool:
    """Whether the rows go out in a secret order: the technique does so, or the request asks for it."""
    return request.shuffle_rows or plan.row_order == "secret"


def read_back(writer: Writer, schema: Schema) -> BatchesOnDisk:
    """The released file, as the certificate reads it."""
    return BatchesOnDisk(
        writer.released,
        form=writer.reading.released_form,
        as_text=text_columns(schema),
        escaped_formulas=writer.escape_formulas,
        like=schema,
    )
