"""A page as a browser showed it, in the records of a crawl."""

import msgspec

from gossamer.crawl.render.page_signs import SOME_WORDS
from gossamer.fetch.browser.rendered_page import LoadedResponse, RenderedPage
from gossamer.records import Exchange, Page

RENDERED = "rendered"
"""The mark of a page that was read as a browser showed it, with the reason."""
UNRENDERED = "unrendered"
"""The mark of a page with signs that it needs a browser, with the reason why it is kept as it came."""
_MOST_MARK = 200
# What holds for the document however it was made. Validators do not: they are those of the response, which may stay as it is
# while the data changes that its scripts load. Without them the page is asked for whole, and shown again.
_KEPT = frozenset({"x-robots-tag", "content-language"})


class Rendering(msgspec.Struct, frozen=True):
    """What a browser made of a page, and what it loaded for that."""

    document: Exchange
    """The document as it was shown; it has no heads, since no server sent it."""
    loaded: tuple[LoadedResponse, ...] = ()
    """What it loaded, some of it shared with other pages."""
    thumbnail: bytes = b""
    picture: bytes = b""


def make_rendering(response: Exchange, shown: RenderedPage) -> Rendering:
    """Make the records of a page that a browser showed."""
    headers = (
        ("content-type", "text/html; charset=utf-8"),
        *((name, value) for name, value in response.headers if name in _KEPT),
    )
    document = Exchange(
        url=response.url,
        status=response.status,
        request_head=b"",
        response_head=b"",
        payload=shown.html,
        body=shown.html,
        headers=headers,
        address=response.address,
        began_s=response.began_s,
        first_byte_s=response.first_byte_s,
        took_s=response.took_s + shown.took_s,
        cut="length" if shown.cut else response.cut,
        rendered_by=shown.browser,
    )
    return Rendering(document, shown.responses, shown.thumbnail, shown.picture)


def stays_as_it_came(copy: Page, render: str) -> bool:
    """Say whether the copy of a page is good as long as its response stays the same: it is not one to show in a browser."""
    if render == "never" or copy.kind != "html":
        return True
    return render == "auto" and UNRENDERED not in copy.marks and copy.words >= SOME_WORDS


def shorten_mark(text: str) -> str:
    """Return a reason as a mark may hold it."""
    return "".join(one for one in text if one.isprintable())[:_MOST_MARK]
