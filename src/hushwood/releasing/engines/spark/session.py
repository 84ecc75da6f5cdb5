"""The Spark session that a release runs in, how work is handed out to it, and what its faults mean.

A session that is there already is used; one of our own ends with the release.
"""

from __future__ import annotations

import os
import re
import shutil
import signal
import sys
import threading
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import hushwood.errors
from hushwood.errors import HushwoodError, InputError

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession


USUAL_MASTER = "local[*]"
# Python workers of one executor share its cores among themselves.
_ONE_THREAD = ("POLARS_MAX_THREADS", "NUMBA_NUM_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS")
_LOGGING = """rootLogger.level = error
rootLogger.appenderRef.stderr.ref = stderr
appender.stderr.type = Console
appender.stderr.name = stderr
appender.stderr.target = SYSTEM_ERR
appender.stderr.layout.type = PatternLayout
appender.stderr.layout.pattern = %p %c{1}: %m%n
"""


@contextmanager
def spark_session(master: str | None, scratch: Path) -> Iterator[SparkSession]:
    """The session that is active, or else a new one that is stopped in the end; `scratch` holds what it writes aside.

    Without a master it runs on this machine, or where spark-submit says.
    """
    api = _pyspark()
    active = api.SparkSession.getActiveSession()
    if active is not None:
        yield active
        return
    with _interrupts_as_before():
        session = _started(api, master, scratch)
        try:
            yield session
        finally:
            with suppress(Exception):  # it may have ended by itself
                session.stop()


@contextmanager
def _interrupts_as_before() -> Iterator[None]:
    """Put back what Ctrl-C did; PySpark installs a handler of its own and leaves it there when it stops."""
    before = signal.getsignal(signal.SIGINT)
    try:
        yield
    finally:
        if before is not None and threading.current_thread() is threading.main_thread():
            signal.signal(signal.SIGINT, before)


@contextmanager
def pandas_unmentioned() -> Iterator[None]:
    """Keep PySpark from warning of new versions of Pandas, which is not used here."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "PySpark does not yet fully support pandas", FutureWarning)
        yield


def _pyspark() -> Any:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter(
                "ignore", FutureWarning
            )  # about the version of Pandas, which is not used here
            import pyspark.sql
    except ImportError:
        raise InputError(
            "--engine spark needs PySpark; install it with pip install '.[spark]' in Hushwood's folder."
        ) from None
    return pyspark.sql


def _started(api: Any, master: str | None, scratch: Path) -> SparkSession:
    submitted = "PYSPARK_GATEWAY_PORT" in os.environ  # spark-submit has started Java and knows the master
    if not submitted and shutil.which("java") is None and not os.environ.get("JAVA_HOME"):
        raise InputError(
            "--engine spark needs Java 17 or later; install it, or set JAVA_HOME to where it is."
        )
    for name in ("PYSPARK_PYTHON", "PYSPARK_DRIVER_PYTHON"):
        os.environ.setdefault(name, sys.executable)
    builder = api.SparkSession.builder.appName("hushwood")
    if master is not None or not submitted:
        builder = builder.master(master or USUAL_MASTER)
    for name, value in _settings(scratch).items():
        builder = builder.config(name, value)
    try:
        with pandas_unmentioned():
            session = builder.getOrCreate()
    except Exception as fault:  # noqa: BLE001 - Java's faults come in many classes
        raise InputError(
            f"Spark could not be started: {_first_line(fault)}; check --spark-master and Java."
        ) from None
    session.sparkContext.setLogLevel("ERROR")
    return session  # type: ignore[no-any-return]


def _settings(scratch: Path) -> dict[str, str]:
    """Quiet, in universal time, and with all that Spark writes aside in a folder that goes with the release."""
    local, logging = scratch / "spark", scratch / "log4j2.properties"
    local.mkdir(mode=0o700)
    logging.write_text(_LOGGING, encoding="utf-8")
    return {
        "spark.log.level": "ERROR",
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.sql.session.timeZone": "UTC",
        "spark.local.dir": str(local),
        "spark.driver.extraJavaOptions": f'"-Dlog4j2.configurationFile={logging.as_uri()}"',
        "spark.driver.maxResultSize": "0",
        **{f"spark.executorEnv.{name}": "1" for name in _ONE_THREAD},
    }


def _first_line(fault: Exception) -> str:
    return (str(fault).strip().splitlines() or [type(fault).__name__])[0]


Task = TypeVar("Task")
Answer = TypeVar("Answer")
_OWN = re.compile(r"^hushwood\.errors\.(\w+): (.+)$", re.MULTILINE)
_ENDED = frozenset({"Py4JError", "Py4JNetworkError", "ConnectionRefusedError", "ConnectionResetError"})
_GONE = re.compile(r"Python worker exited unexpectedly|ExecutorLostFailure|Executor heartbeat timed out")


class Cluster:
    """Where tasks run."""

    def __init__(self, session: SparkSession) -> None:
        self.session, self._context = session, session.sparkContext

    def each(self, job: Callable[[Task], Answer], tasks: Sequence[Task]) -> list[Answer]:
        """The answer for every task, in their order; the job, which may hold the key, is sent to every worker once."""

        def handed_out() -> list[Answer]:
            sent = self._context.broadcast(job)

            def work(task: Task) -> Answer:
                found: Callable[[Task], Answer] = sent.value
                return found(task)

            try:
                return list(self._context.parallelize(tasks, len(tasks)).map(work).collect())
            finally:
                # Where Spark itself has ended, there is nothing to take back, and its own fault is the one to tell.
                with suppress(Exception):
                    sent.destroy()

        return _told(handed_out)

    def collected(self, frame: DataFrame) -> list[Any]:
        """The rows of a Spark frame."""
        return _told(lambda: list(frame.collect()))


def _told(work: Callable[[], list[Answer]]) -> list[Answer]:
    """What some work on Spark gives, or its fault as a sentence."""
    try:
        return work()
    except Exception as fault:  # Java's faults come in many classes
        raise _said(fault) from fault


def _said(fault: Exception) -> Exception:
    """Our own error if a task raised it; else what happened, in a sentence."""
    text = str(fault)
    own = _OWN.search(text)
    if own is not None:
        kind = getattr(hushwood.errors, own[1], HushwoodError)
        return kind(own[2])
    again = "nothing was released. Run the command again: the same key gives the same values."
    if _GONE.search(text):
        return HushwoodError(
            f"A Spark worker ended in the middle of its work: it was stopped, or ran out of memory; {again}"
        )
    if type(fault).__name__ in _ENDED:
        return HushwoodError(f"Spark itself ended in the middle of its work; {again}")
    if "Py4J" not in type(fault).__name__ and "pyspark" not in type(fault).__module__:
        return fault
    return HushwoodError(f"Spark could not finish the work ({_last_cause(text)}); {again}")


def _last_cause(text: str) -> str:
    causes = [line for line in text.splitlines() if line.startswith(("Caused by:", ":"))]
    return (
        (causes or text.splitlines() or ["no reason given"])[-1].removeprefix("Caused by:").lstrip(": ")[:300]
    )
