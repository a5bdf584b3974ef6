"""The report of a web that an older version wrote shows no password."""

import msgspec

from gossamer.cli.graph import report
from gossamer.config import from_options
from gossamer.store.batch import TaskNote


def test_settings_of_an_older_web_are_shown_without_passwords() -> None:
    spec = from_options(
        seeds=["https://a.example/"], auth="alice:S3cret", proxy="http://bob:S3cret@p.example:3128"
    )
    section = report._tabulate_settings([TaskNote(1, "old", msgspec.json.encode(spec))])
    assert "S3cret" not in repr(section)
    assert "https://alice@a.example" in repr(section)
