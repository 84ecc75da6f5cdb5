from __future__ import annotations

import signal
from pathlib import Path

from hushwood.releasing.engines.spark.session import spark_session
from support.spark_runs import needs_spark


@needs_spark
def test_ctrl_c_does_afterwards_what_it_did_before(tmp_path: Path) -> None:
    before = signal.getsignal(signal.SIGINT)
    with spark_session("local[1]", tmp_path) as session:
        assert session.range(3).count() == 3
        assert signal.getsignal(signal.SIGINT) is not before
    assert signal.getsignal(signal.SIGINT) is before
