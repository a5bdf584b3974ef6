"""The application over a web, and the headers of a browser that is paired with it."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from starlette.types import ASGIApp

from gossamer.ui.access.guard import Guard
from gossamer.ui.access.paired_browsers import PairedBrowsers
from gossamer.ui.app import make_application
from gossamer.ui.navigate.reading_parts import ReadingParts
from gossamer.ui.page_context import PageContext


@contextmanager
def serve_paired(
    web: Path, config: Path, reading: ReadingParts | None = None
) -> Iterator[tuple[ASGIApp, dict[str, str]]]:
    """Make the application; its context is closed afterwards."""
    browsers = PairedBrowsers(config / "browsers.json")
    pairing, secret = browsers.begin("a browser")
    browsers.agree(pairing.code, "")
    collected = browsers.collect(pairing.code, secret)
    assert collected is not None
    with PageContext(web) as context:
        headers = {"authorization": f"Bearer {collected.token}", "content-type": "application/json"}
        yield make_application(context, Guard(), browsers, reading), headers
