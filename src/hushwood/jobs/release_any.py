"""Release whatever is given, where it can be done: in memory, in batches from files, or on Spark.

All engines give the same values. `auto` takes the table into memory if there is room for the work on it, and else
reads it in batches.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from hushwood.jobs.inputs import read_input
from hushwood.jobs.key_order import with_row_key
from hushwood.jobs.persons import check_in_memory, declared_units
from hushwood.jobs.release import Release, release
from hushwood.jobs.requests import ReleaseRequest
from hushwood.jobs.resolve import Resolved, resolve
from hushwood.stages import Stage, silent
from hushwood.tables.formats.files import is_read_whole
from hushwood.tables.long.sizes import expected_bytes
from hushwood.tables.sql.addresses import is_address

# A release in memory holds the table several times over: as read, as arrays, changed, and as written.
COPIES = 6


def release_any(
    source: object, arguments: Mapping[str, Any], request: ReleaseRequest, stage: Stage = silent
) -> Release:
    """Release a file, a folder of files, a table in a database, or a frame, with the arguments of `reading.read`."""
    asked = resolve(request, source, arguments)
    done = _released(source, arguments, asked, stage)
    if request.to is None:
        return done
    from hushwood.jobs.release_sql import sent

    return replace(done, warnings=(*done.warnings, *sent(done, request)))


def _released(source: object, arguments: Mapping[str, Any], asked: Resolved, stage: Stage) -> Release:
    if isinstance(source, str) and is_address(source):
        from hushwood.jobs.release_sql import release_sql

        return release_sql(source, arguments, asked, stage)
    request = asked.request
    if request.options.engine == "spark" or type(source).__module__.startswith("pyspark."):
        from hushwood.jobs.release_spark import release_spark

        return release_spark(source, arguments, asked, stage)
    path = Path(source) if isinstance(source, str | Path) else None
    arguments = with_row_key(arguments, request.row_key)
    if path is not None and streams_from(path, request):
        check_in_memory(declared_units(arguments))
        from hushwood.jobs.release_long import release_long

        return release_long(path, arguments, asked, stage)
    return release(read_input(source, arguments), asked, stage)


def streams_from(path: Path, request: ReleaseRequest) -> bool:
    """Whether the table is read in batches."""
    engine = request.options.engine
    if engine == "memory" or (engine == "auto" and is_read_whole(path)):
        return False
    return engine == "streaming" or path.is_dir() or COPIES * expected_bytes(path) > request.memory
