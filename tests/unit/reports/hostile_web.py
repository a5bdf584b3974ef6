"""A web of pages with hostile URLs, titles and link texts, written into a store."""

from pathlib import Path

from tests.contract.rows import LinkRow, to_columns

from gossamer.net import url as urls
from gossamer.records import Page, Request, Visit
from gossamer.store.batch import Batch
from gossamer.web import Web

HOST = "a.example"
START, END = f"http://{HOST}/", f"http://{HOST}/a/b/end?x=1&y=2"
MIDDLE = urls.canonical(f"http://{HOST}/a/it's'onclick='alert(1)<b>")
"""In canonical form, as all URLs of a web are: quotation marks stay."""
ALONE, RIM, GONE = f"http://{HOST}/alone", "http://other.example/=cmd", f"http://{HOST}/a/gone"
WAITING, MOVED, REFUSED = f"http://{HOST}/a/later", f"http://{HOST}/moved", f"http://{HOST}/private/x"
SCRIPT = "<script>alert(1)</script>"
FORMULA = "=HYPERLINK(1)"


def write_hostile_web(folder: Path) -> None:
    """Write pages in every state, and links between them: START to MIDDLE to END, and END to RIM."""
    kept = {START: f"{SCRIPT}Start", MIDDLE: FORMULA, END: '"><img src=x onerror=alert(1)>', ALONE: "Alone"}
    pages = [
        Page(
            urls.page_id(url), url, HOST, 1, at, 1e9 + at, 200, "html", title, "en", body_bytes=1_000, words=5
        )
        for at, (url, title) in enumerate(kept.items())
    ]
    links: list[LinkRow] = [
        (urls.page_id(source), urls.page_id(target), "a", text, False, False, False)
        for source, target, text in (
            (START, MIDDLE, f"{SCRIPT}on"),
            (START, MOVED, "moved"),
            (MIDDLE, END, "{{ 7*7 }}"),
            (END, RIM, "=1+1"),
        )
    ]
    links.append((urls.page_id(MOVED), urls.page_id(MIDDLE), "redirect", "", False, False, False))
    known = [*kept, RIM, GONE, WAITING, MOVED, REFUSED]
    visits = [
        Visit(urls.page_id(GONE), 1, 1e9, "failed", 404),
        Visit(urls.page_id(MOVED), 1, 1e9, "redirected", 301),
        Visit(urls.page_id(REFUSED), 1, 1e9, "refused", cause="robots"),
    ]
    waiting = Request(urls.page_id(WAITING), WAITING, HOST, 1, 1, number=1)
    with Web(folder) as web:
        web.store.commit(
            Batch(
                pages=pages,
                links=to_columns(links),
                known=[(urls.page_id(url), url) for url in known],
                visits=visits,
                requests=[waiting],
                last_number=1,
            )
        )
