"""Ages and sizes are read as people type them."""

import pytest

from gossamer.cli.forget.durations import parse_age, parse_size
from gossamer.errors import BadInput


def test_ages_and_sizes() -> None:
    assert parse_age("2w") == 14 * 86_400
    assert parse_age("1 Y") == 365.25 * 86_400
    assert parse_size("10GB") == 10**10
    assert parse_size("1.5 m") == 1_500_000
    assert parse_size("123") == 123


@pytest.mark.parametrize("text", ["", "2", "y", "-1y", "0d", "2 years ago", "1e9y"])
def test_an_age_that_cannot_be_read_is_one_sentence(text: str) -> None:
    with pytest.raises(BadInput, match="is not an age"):
        parse_age(text)


@pytest.mark.parametrize("text", ["", "GB", "-1GB", "0", "ten"])
def test_a_size_that_cannot_be_read_is_one_sentence(text: str) -> None:
    with pytest.raises(BadInput, match="is not a size"):
        parse_size(text)
