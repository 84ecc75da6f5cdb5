"""The family of errors, their exit codes, and the sentence about names that do not exist."""

from __future__ import annotations

import pytest

from hushwood.errors import BrokenCertificate, HushwoodError, InputError, InternalFault, unknown_name


@pytest.mark.parametrize(
    ("kind", "code"), [(HushwoodError, 2), (InputError, 2), (InternalFault, 3), (BrokenCertificate, 3)]
)
def test_exit_codes(kind: type[HushwoodError], code: int) -> None:
    assert issubclass(kind, HushwoodError)
    assert kind("Something was wrong.").exit_code == code


def test_wrong_input_and_internal_faults_are_told_apart() -> None:
    assert not issubclass(InputError, InternalFault)
    assert not issubclass(InternalFault, InputError)


def test_the_nearest_name_is_offered_and_all_are_listed_in_order() -> None:
    error = unknown_name("column", "agee", ["sex", "age"])
    assert isinstance(error, InputError)
    assert str(error) == "There is no column 'agee'. Did you mean 'age'? Known: age, sex."


def test_no_name_is_offered_if_none_is_near() -> None:
    assert str(unknown_name("role", "xyz", iter(["class"]))) == "There is no role 'xyz'. Known: class."
