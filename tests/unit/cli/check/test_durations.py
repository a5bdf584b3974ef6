import pytest

from gossamer.cli.check.durations import parse_duration
from gossamer.errors import BadInput


@pytest.mark.parametrize(
    ("text", "seconds"),
    [("0", 0), ("45s", 45), ("30m", 1800), ("1.5h", 5400), ("1d", 86400), ("2w", 1209600)],
)
def test_durations_are_read_as_people_type_them(text: str, seconds: float) -> None:
    assert parse_duration(text, "--age") == seconds


@pytest.mark.parametrize("text", ["", "x", "1y", "-1h", "1h30", "９h", "1e999"])
def test_what_is_no_duration_gets_a_sentence(text: str) -> None:
    with pytest.raises(BadInput, match="is not a duration"):
        parse_duration(text, "--age")
