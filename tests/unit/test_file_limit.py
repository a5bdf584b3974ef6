import os
import resource

import pytest

from gossamer.errors import BadInput
from gossamer.file_limit import check_file_limit, count_open_files, raise_file_limit


@pytest.fixture(autouse=True)
def _restore_limit() -> object:
    limits = resource.getrlimit(resource.RLIMIT_NOFILE)
    yield
    resource.setrlimit(resource.RLIMIT_NOFILE, limits)


def test_the_soft_limit_is_raised_and_never_lowered() -> None:
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (200, hard))
    assert raise_file_limit(300) == 300
    assert raise_file_limit(100) == 300
    assert resource.getrlimit(resource.RLIMIT_NOFILE) == (300, hard)


def test_the_hard_limit_is_not_passed(monkeypatch: pytest.MonkeyPatch) -> None:
    raised = []
    monkeypatch.setattr(resource, "getrlimit", lambda _: (64, 128))
    monkeypatch.setattr(resource, "setrlimit", lambda _, limits: raised.append(limits))
    assert raise_file_limit(1_024) == 128
    assert raised == [(128, 128)]


def test_a_system_that_allows_less_than_it_says_keeps_its_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise ValueError("current limit exceeds maximum limit")

    monkeypatch.setattr(resource, "getrlimit", lambda _: (256, resource.RLIM_INFINITY))
    monkeypatch.setattr(resource, "setrlimit", refuse)
    assert raise_file_limit(1_024) == 256


def test_open_files_are_counted() -> None:
    before = count_open_files()
    reading, writing = os.pipe()
    assert count_open_files() == before + 2
    os.close(reading)
    os.close(writing)
    assert count_open_files() == before


def test_too_few_files_are_a_sentence_that_says_what_to_do() -> None:
    check_file_limit(64, 64, "a crawl")
    with pytest.raises(
        BadInput, match=r"a crawl needs 64 open files and this process may have 63: .*ulimit -n 1024"
    ):
        check_file_limit(63, 64, "a crawl")
