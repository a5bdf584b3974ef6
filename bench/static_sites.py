"""Sites that need no browser although their pages have scripts: short pages of our own, and recorded articles.

Both have a start page that links to all others. They are served by the lab's server; a crawl stays on the host.
"""

import gzip
from collections.abc import Sequence
from pathlib import Path

from gossamer.lab.server.answer import LabAnswer, LabRequest, answer_with_text

ARTICLES = Path(__file__).resolve().parents[1].parent / "shared" / "data"
_FOLDERS = ("extraction", "extraction-general")
_HOST = "127.0.0.1"
_HTML = ("Content-Type", "text/html")
# What pages of a few words have in them, one after the other: services, libraries, and scripts that leave the content alone.
_SCRIPTS = (
    "<script async src='https://www.googletagmanager.com/gtag/js?id=G-1'></script>"
    "<script>window.dataLayer=window.dataLayer||[];function gtag(){dataLayer.push(arguments)}gtag('js',new Date())</script>",
    "<script src='/static/jquery.min.js'></script><script src='/static/bootstrap.bundle.min.js'></script>",
    "<script>document.documentElement.classList.add('js')</script>",
    "<script>var _paq=[];(function(){var g=document.createElement('script');g.src='//m.example/matomo.js';"
    "document.head.appendChild(g)})()</script>",
    "",
)


class StaticSite:
    """Pages of one host, by number."""

    def __init__(self, pages: Sequence[bytes]) -> None:
        self._pages = pages

    def answer(self, request: LabRequest, now_s: float) -> LabAnswer:  # noqa: ARG002 - pages never change
        """Answer a request for the start page, a page, or anything else."""
        if request.target == "/":
            links = "".join(
                f'<li><a href="/page/{number}">{number}</a>' for number in range(len(self._pages))
            )
            return LabAnswer(200, (_HTML,), f"<title>All pages</title><ul>{links}</ul>".encode())
        _, _, number = request.target.rpartition("/page/")
        if number.isdecimal() and int(number) < len(self._pages):
            return LabAnswer(200, (_HTML,), self._pages[int(number)])
        return answer_with_text(404, "There is no such page.")

    def hosts(self) -> list[str]:
        """Return the host."""
        return [_HOST]


def write_short_pages(pages: int) -> StaticSite:
    """Return a site of pages with thirty words, up to four links and a script of each kind in turn."""
    words = " ".join(f"word{number}" for number in range(30))
    return StaticSite(
        [
            (
                f"<!DOCTYPE html><title>Page {number}</title><p>{words}"
                + "".join(
                    f' <a href="/page/{(number + step) % pages}">next</a>' for step in range(number % 5)
                )
                + _SCRIPTS[number % len(_SCRIPTS)]
            ).encode()
            for number in range(pages)
        ]
    )


def read_articles() -> StaticSite | None:
    """Return a site of recorded articles with all the scripts that they had; None if they are not here."""
    paths = [path for folder in _FOLDERS for path in sorted((ARTICLES / folder / "html").glob("*.gz"))]
    return StaticSite([gzip.decompress(path.read_bytes()) for path in paths]) if paths else None
