import resource

import pytest

from gossamer.ui.connections.connection_limits import ConnectionLimits, fit_to_descriptors


@pytest.fixture
def descriptors(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """A soft and a hard limit of this process, which can be changed."""
    limits = [256, 1_000]
    monkeypatch.setattr(resource, "getrlimit", lambda _: tuple(limits))
    monkeypatch.setattr(resource, "setrlimit", lambda _, new: limits.__setitem__(slice(None), new))
    return limits


def test_the_soft_limit_is_raised_as_far_as_allowed(descriptors: list[int]) -> None:
    assert fit_to_descriptors(ConnectionLimits(connections=1_000)).connections == 420
    assert descriptors == [1_000, 1_000]


def test_no_more_is_taken_than_needed(descriptors: list[int]) -> None:
    assert fit_to_descriptors(ConnectionLimits(connections=100)).connections == 100
    assert descriptors == [360, 1_000]


def test_a_limit_that_cannot_be_raised_lowers_the_connections(
    descriptors: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(_: int, __: tuple[int, int]) -> None:
        raise ValueError("not allowed")

    monkeypatch.setattr(resource, "setrlimit", refuse)
    assert fit_to_descriptors(ConnectionLimits()).connections == 48
    descriptors[0] = 64
    assert fit_to_descriptors(ConnectionLimits()).connections == 16
