"""What the bytes of a page say about its need of a browser."""

import pytest

from gossamer.crawl.read_page import Reading, read
from gossamer.crawl.render.page_signs import find_signs
from gossamer.fetch.fake_fetcher import make_response
from gossamer.net.url import host
from gossamer.records import Fetched, Request

URL = "http://a.example/news/1"
WORDS = " ".join(f"Sentence {number} of the article says something else." for number in range(60))
LINKS = "".join(f"<a href=/{number}>{number}</a> " for number in range(5))

EMPTY = "hardly any text or links, and scripts"
GTAG = "window.dataLayer = window.dataLayer || []; function gtag(){dataLayer.push(arguments);} gtag('js', new Date());"
ANALYTICS = (
    "(function(){var s=document.createElement('script');s.src='https://www.google-analytics.com/analytics.js';"
    "document.head.appendChild(s);document.write('')})();"
)


def read_page(html: str, url: str = URL, kind: str = "text/html; charset=utf-8") -> tuple[Reading, bytes]:
    outcome = make_response(url, html, headers=[("Content-Type", kind)])
    assert isinstance(outcome, Fetched)
    request = Request(1, url, host(url), 1)
    return read(request, outcome.exchange, "Gossamer", 1_000), outcome.exchange.body


@pytest.mark.parametrize(
    ("html", "need", "reason"),
    [
        ("<title>x</title>", "none", ""),
        (f"<p>{WORDS}{LINKS}", "none", ""),
        (f"<p>{WORDS}{LINKS}<script src=/tracker.js></script>", "none", ""),
        (f"<p>{WORDS}<script>count(1)</script>", "none", ""),
        (f"<p>{WORDS}{LINKS}<script type=application/ld+json>{{'href': 1}}</script>", "none", ""),
        ("<div id=root></div><script src=/x.js></script>", "likely", "hardly any text or links, and scripts"),
        (
            f"{LINKS}<div id='app'></div><script src=/x.js></script>",
            "likely",
            "an empty frame for scripts to fill",
        ),
        (
            f"{LINKS}<noscript>Turn on JavaScript</noscript><script src=/x.js></script>",
            "likely",
            "it asks for JavaScript",
        ),
        (
            f"{LINKS}<p>Loading...</p><script src=/x.js></script>",
            "likely",
            "a placeholder for content that is loaded",
        ),
        (f"<p>{WORDS}<script>a.href='/'+id</script>", "likely", "links only in scripts"),
        (f"<p>{WORDS}{LINKS}<SCRIPT>FETCH('/api')</SCRIPT>", "doubtful", "scripts that may build content"),
        (
            f"<p>{WORDS}{LINKS}<script src=/static/app.3f.js></script>",
            "doubtful",
            "scripts that may build content",
        ),
        (
            f"<p>{WORDS}{LINKS}<script>document.createElement('li')</script>",
            "doubtful",
            "scripts that may build content",
        ),
        (f"{LINKS}<p>A few words<script src=/t.js></script>", "doubtful", "little text, and scripts"),
        # What measures or advertises makes no page, nor does a script that leaves the document alone.
        ("<p>Few words<script src=https://www.googletagmanager.com/gtag/js?id=1></script>", "none", ""),
        (f"<p>Few words<script>{GTAG}</script>", "none", ""),
        (f"<p>{WORDS}{LINKS}<script>{ANALYTICS}</script>", "none", ""),
        ("<p>Few words<script src=/js/jquery-3.7.1.min.js></script>", "none", ""),
        (
            "<p>Few words<script src=/js/jquery-3.7.1.min.js></script><script>$('a').load(x)</script>",
            "likely",
            EMPTY,
        ),
        ('<p>Few words<script>document.body.dataset.ready="1"</script>', "none", ""),
        (f"<p>{WORDS}<script>later=()=>'<a href=/x>x</a>'</script>", "none", ""),
        (f"<p>Few words<script>{ANALYTICS}</script><script src=/x.js></script>", "likely", EMPTY),
        (f"<p>Few words<script>{ANALYTICS}{'x=1;' * 600}</script>", "likely", EMPTY),
        ("<p>Few words<script>root.textContent=text</script>", "likely", EMPTY),
        ("<p>Few words<script type=module>import go from './go.js'</script>", "likely", EMPTY),
    ],
)
def test_signs_of_pages(html: str, need: str, reason: str) -> None:
    signs = find_signs(*read_page(html))
    assert (signs.need, signs.reason) == (need, reason)


def test_what_is_no_html_has_no_signs() -> None:
    assert find_signs(*read_page("<script>fetch()</script>", kind="text/plain")).need == "none"


@pytest.mark.parametrize(
    "html", ["<script", "<script><script>" * 5_000, "<script>\0</script", "<SCRIPT SRC="]
)
def test_damaged_scripts_are_read_as_far_as_they_go(html: str) -> None:
    assert find_signs(*read_page(html)).need in ("none", "doubtful", "likely")
