"""What is printed to standard error is held back, and dropped only if the index is damaged."""

import os

import pytest

from gossamer.cli.search.hold_stderr import hold_stderr
from gossamer.errors import StoreFailed


def test_output_comes_afterwards(capfd: pytest.CaptureFixture[str]) -> None:
    with hold_stderr():
        os.write(2, b"a warning\n")
        assert capfd.readouterr().err == ""
    assert capfd.readouterr().err == "a warning\n"


@pytest.mark.parametrize(("error", "left"), [(StoreFailed("damaged"), ""), (KeyError("bug"), "a panic\n")])
def test_output_is_dropped_if_the_index_is_damaged(
    error: Exception, left: str, capfd: pytest.CaptureFixture[str]
) -> None:
    def fail() -> None:
        with hold_stderr():
            os.write(2, b"a panic\n")
            raise error

    with pytest.raises(type(error)):
        fail()
    assert capfd.readouterr().err == left
