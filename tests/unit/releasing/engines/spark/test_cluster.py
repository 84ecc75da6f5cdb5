from __future__ import annotations

from hushwood.errors import HushwoodError, InputError
from hushwood.releasing.engines.spark.session import _said


def test_an_error_of_a_task_is_raised_as_it_was() -> None:
    text = "An error occurred\nTraceback ...\nhushwood.errors.InputError: Column 'a' is wrong; mend it.\n\n\tat org"
    found = _said(Exception(text))
    assert type(found) is InputError
    assert str(found) == "Column 'a' is wrong; mend it."


def test_a_worker_that_ended_is_said_so() -> None:
    found = _said(Exception("org.apache.spark.SparkException: Python worker exited unexpectedly (crashed)"))
    assert type(found) is HushwoodError
    assert str(found).startswith("A Spark worker ended in the middle of its work")
    assert "nothing was released" in str(found)


def test_other_faults_are_passed_on() -> None:
    fault = ValueError("no")
    assert _said(fault) is fault
