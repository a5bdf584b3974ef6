"""A small web about music: two sites, two languages, near copies and hostile pages."""

import random
from pathlib import Path

from tests.crawl.harness import Toy, make_quick_task

from gossamer.context.words.web_words import refresh_words
from gossamer.lab.server.answer import LabAnswer
from gossamer.lab.server.serve_world import serving
from gossamer.web import Web

ENGLISH, GERMAN = "127.9.7.1", "127.9.7.2"
HAYDN = (
    "Joseph Haydn wrote more than a hundred symphonies, most of them for the orchestra of the princes at Eisenstadt. "
    "He taught a young man from Bonn, travelled twice to London, and the last twelve symphonies were written for that "
    "city, where the audience asked for slow movements to be played again. "
)
GERMAN_TEXT = (
    "Der Komponist lebte lange in Eisenstadt und schrieb dort Sinfonien und Quartette für das Orchester des Fürsten. "
    "Seine Schüler kamen aus vielen Städten, und die Lieder werden noch heute gesungen, auch von Kindern. "
)
HOSTILE = """<!-- <head> --><!doctype html><html><head><title>Hostile &lt;script&gt;alert(1)&lt;/script&gt; concert</title>
<meta http-equiv=refresh content="0;url=/gone">
<script>document.title = "OWNED"; document.documentElement.dataset.ran = "yes"; fetch("/api/search?q=x");
try { parent.document.title = "OWNED"; } catch (error) {}</script></head>
<body onload="document.documentElement.dataset.ran = 'yes'"><p>A concert of malice: this page would like to run scripts in the
browser of a person who opens its copy, and to request other pages in their name.</p>
<img src="ORIGIN/api/submit" onerror="document.documentElement.dataset.ran = 'yes'"><img src="ORIGIN/static/icon.svg">
<link rel=stylesheet href="ORIGIN/static/style.css"><iframe src="ORIGIN/search?q=haydn"></iframe>
<form action="ORIGIN/submit" method=post><input name=url value="http://evil.example/"><button id=send>Send</button></form>
<a id=on href="further.html">On</a> <a id=away href="http://127.9.7.1/">Away</a>
<svg><script>document.documentElement.dataset.ran = "yes"</script></svg></body></html>"""
# Its assets are in the archive. Each request to ORIGIN would show that something else was loaded.
DRESSED = """<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 3.2//EN"><html><head><title>A dressed violin</title>
<link rel="StyleSheet" href="looks/sheet.css"><link rel="alternate stylesheet" href="looks/more.css">
<link rel=stylesheet href="ORIGIN/static/style.css"><style>em { background: url(looks/dot.gif) } </style></head>
<body background="looks/dot.gif"><p>A violin that was <em>dressed</em> for the evening, in red and in gold.</p>
<picture><source srcset="ORIGIN/static/icon.svg?source"><img id=dot src="looks/dot.gif" srcset="ORIGIN/static/icon.svg?set 2x"></picture>
<img id=far src="ORIGIN/static/icon.svg?far"><b style="background: url('looks/dot.gif')">b</b>
<input id=word value="secret word"></body></html>"""
SHEET = """@import "more.css" screen; @import url(ORIGIN/static/style.css?imported);
p { color: rgb(200, 0, 0); background-image: url( "dot.gif" ) } p::after { content: "</style><script>document.documentElement.dataset.ran = 'yes'</script>" }
input[value^="s"] { background: url(ORIGIN/static/icon.svg?begins-with-s) } @font-face { font-family: f; src: url(ORIGIN/static/f.woff) }
b { font-family: f; cursor: url(ORIGIN/static/icon.svg?cursor), auto; list-style: url(//127.0.0.1:9/list) }"""
MORE = "@import 'sheet.css'; em { color: rgb(0, 0, 200); border-image: image-set(url(ORIGIN/static/icon.svg?border) 1x) }"
DOT = bytes.fromhex(
    "47494638396101000100800000ff0000ffffff2c00000000010001000002024401003b"
)  # a GIF of one pixel
_WORDS = (
    "adagio allegro andante baroque bassoon cadenza cello chamber chorus clarinet concerto conductor cornet cymbal "
    "dance duet fanfare finale flute fugue harmony harp horn lute march melody menuet motif oboe opera organ overture "
    "piano prelude quartet rehearsal requiem rhythm rondo scherzo serenade sonata soprano tempo tenor theme trio trumpet "
    "tuning variation viola violin voice waltz"
)
_DATE = "Wed, 05 Jun {} 10:00:00 GMT"


def document(title: str, text: str, links: str = "", head: str = "", year: int = 2024) -> LabAnswer:
    """Return a page with a date, and links before its text."""
    body = f"<!doctype html><html><head><title>{title}</title>{head}</head><body>{links}<h1>{title}</h1><p>{text}</p></body></html>"
    headers = (("Content-Type", "text/html; charset=utf-8"), ("Last-Modified", _DATE.format(year)))
    return LabAnswer(200, headers, body.encode())


def _file(kind: str, text: str, origin: str) -> LabAnswer:
    return LabAnswer(200, (("Content-Type", kind),), text.replace("ORIGIN", origin).encode())


def symphony(number: int) -> LabAnswer:
    """Return one of many pages with different texts."""
    some = random.Random(number)
    own = some.sample(_WORDS.split(), 12)
    sentences = " ".join(
        f"The {some.choice(own)} {some.choice(own)} and {some.choice(own)}." for _ in range(40)
    )
    text = f"The symphony number {number} begins quietly. {sentences}"
    return document(f"Symphony number {number}", text, year=2020 + number % 3)


def world(origin: str = "http://127.0.0.1:9") -> Toy:
    """Return the whole web; hostile pages attack the server at this origin."""
    numbers = range(1, 15)
    links = "".join(f"<a href='/symphony/{n}'>Symphony {n}</a> " for n in numbers)
    links += "<a href='/haydn'>the Haydn page</a> <a href='/copy'>copy</a> <a href='/hostile'>concert</a> "
    links += "<a href='/secret'>secret</a> <a href='/old'>old</a> <a href='/notes.txt'>notes</a> "
    links += "<a href='/dressed'>violin</a>"
    latin = "<title>Überall Café</title><meta charset=iso-8859-1><p>Ein altes Café in der Stadt, wo jeder über Musik spricht und die Zeitung liest."
    english = {
        "/robots.txt": LabAnswer(404),
        "/": document("Music library", "Everything about music, and where to begin reading about it.", links),
        "/haydn": document("Joseph Haydn", HAYDN * 2, "<a href='/'>Home of the library</a>"),
        "/copy": document("Joseph Haydn, printed", HAYDN * 2 + "Printed."),
        "/secret": document(
            "A secret memoir",
            "This memoir may be found by readers, but copies of it must not be shown.",
            head="<meta name=robots content=noarchive>",
        ),
        "/hostile": _file("text/html", HOSTILE, origin),
        "/old": LabAnswer(200, (("Content-Type", "text/html"),), latin.encode("latin-1")),
        "/notes.txt": LabAnswer(200, (("Content-Type", "text/plain"),), b"Plain <b>notes</b>"),
        "/dressed": _file("text/html", DRESSED, origin),
        "/looks/sheet.css": _file("text/css", SHEET, origin),
        "/looks/more.css": _file("text/css", MORE, origin),
        "/looks/dot.gif": LabAnswer(200, (("Content-Type", "image/gif"),), DOT),
        **{f"/symphony/{n}": symphony(n) for n in numbers},
    }
    german = {
        "/robots.txt": LabAnswer(404),
        "/": document(
            "Komponisten",
            GERMAN_TEXT,
            f"<a href='/lieder'>Lieder</a> <a href='http://{ENGLISH}/haydn'>Haydn</a>",
        ),
        "/lieder": document(
            "Lieder und Sinfonien", f"{GERMAN_TEXT} Das Kapitel über Lieder ist noch kurz.", year=2021
        ),
    }
    return Toy({ENGLISH: {**english}, GERMAN: {**german}})


def crawl_library(folder: Path, origin: str = "http://127.0.0.1:9") -> str:
    """Crawl and index the library, and read its words; return the address of its first page."""
    with serving(world(origin)) as running, Web(folder) as web:
        seeds = [f"http://{host}:{running.port}/" for host in (ENGLISH, GERMAN)]
        assets = [f"{seeds[0]}looks/{name}" for name in ("sheet.css", "more.css", "dot.gif")]
        web.run([make_quick_task(running, seeds=assets, delay_s=0.0, name="looks", scope="page")])
        web.run([make_quick_task(running, seeds=seeds, delay_s=0.0, name="library", kinds=["html", "text"])])
        web.index()
        refresh_words(web.store, folder)
        return seeds[0]
