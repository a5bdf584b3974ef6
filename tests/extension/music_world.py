"""The web that the tests of the extension read: two sites in two languages, hostile pages, and a host outside the collection."""

import random

from tests.crawl.harness import Toy

from gossamer.lab.server.answer import Fault, LabAnswer

ENGLISH, GERMAN, UNKNOWN = "127.9.10.1", "127.9.10.2", "127.9.10.3"
HAYDN = (
    "Joseph Haydn wrote more than a hundred symphonies, most of them for the orchestra of the princes at Eisenstadt. "
    "He taught a young man from Bonn and travelled twice to London. The last twelve symphonies were written for that "
    "city, where the audience asked for slow movements to be played again. "
)
LIBRARY = (
    "This library collects what people have written about music, from the courts of the princes to the concert halls of "
    "our time. Every page was read by a librarian before it was listed here, and each says where it comes from. "
)
GERMAN_TEXT = (
    "Der Komponist lebte lange in Eisenstadt und schrieb dort Sinfonien und Quartette für das Orchester des Fürsten. "
    "Seine Schüler kamen aus vielen Städten, und die Lieder werden noch heute gesungen, auch von Kindern. "
)
OWNED = "document.documentElement.dataset.owned = 'yes'"
HOSTILE_TITLE = f'<img src=x onerror="{OWNED}"> <script>{OWNED}</script> concert'
LISTENER = """<script>
const seen = window.seen = {nodes: [], roots: [], messages: [], errors: []};
const attach = Element.prototype.attachShadow;
Element.prototype.attachShadow = function (options) {
  const root = attach.call(this, {...options, mode: "open"});
  seen.roots.push(root);
  return root;
};
new MutationObserver((records) => {
  for (const record of records) for (const node of record.addedNodes) seen.nodes.push(node);
}).observe(document, {childList: true, subtree: true, attributes: true, characterData: true});
addEventListener("message", (event) => seen.messages.push(JSON.stringify(event.data)));
</script>"""
DRAWN = """<p id=drawn></p><script>document.getElementById("drawn").textContent = "A script has drawn the word " + ["kettle", "drummer"].join("");</script>"""
MANY, LETTERS = 500, 30
SLOW = LabAnswer(200, (("Content-Type", "text/html"),), b"<title>Slow</title>", Fault(delay_s=8.0))
_WORDS = [
    "adagio",
    "allegro",
    "andante",
    "baroque",
    "bassoon",
    "cadenza",
    "cello",
    "chamber",
    "clarinet",
    "concerto",
    "cornet",
    "cymbal",
    "duet",
    "fanfare",
    "finale",
    "flute",
]


def make_page(title: str, text: str, body: str = "", head: str = "", language: str = "en") -> LabAnswer:
    """Return a page with a title, a paragraph and a body after it."""
    html = (
        f"<!doctype html><html lang={language}><head><title>{title}</title>{head}</head>"
        f"<body><h1>{title}</h1><p>{text}</p>{body}</body></html>"
    )
    headers = (
        ("Content-Type", "text/html; charset=utf-8"),
        ("Last-Modified", "Wed, 05 Jun 2024 10:00:00 GMT"),
    )
    return LabAnswer(200, headers, html.encode())


def _escape(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace('"', "&quot;")


def _write_letter(number: int) -> str:
    """Return a text unlike those of the other letters, which would otherwise count as copies of one."""
    some = random.Random(number)
    return " ".join(f"The {' and the '.join(some.sample(_WORDS, 3))} number {number}." for _ in range(30))


def _list_links(port: str) -> str:
    links = {
        "haydn": ("/haydn", "the page about Haydn"),
        "gone": ("/gone", "a page that is gone"),
        "moved": ("/moved", "a page that has moved"),
        "lieder": (f"http://{GERMAN}{port}/lieder", "Lieder und Sinfonien"),
        "unknown": (f"http://{UNKNOWN}{port}/unknown", "a page outside the collection"),
        "hostile": ("/hostile", "a hostile concert"),
        "mail": ("mailto:haydn@example.org", "write to Haydn"),
        "part": ("#end", "the end of this page"),
    }
    items = "".join(f'<li><a id={name} href="{url}">{text}</a>' for name, (url, text) in links.items())
    return f'<ul>{items}<li><a id=file href="/scores.zip" target=_blank download>all scores</a></ul><p id=end>End.'


def make_world(port: int = 0) -> Toy:
    """Return the whole web; links between its hosts have this port."""
    at = f":{port}"
    about = f'<p>Readers who want more about the symphonies of <a href="http://{ENGLISH}{at}/haydn">Joseph Haydn</a> may read on there.'
    gallery = (
        f'<p><a id=painted href="/painted">a painted page</a><p><a id=unknown href="http://{UNKNOWN}{at}/unknown">an unknown one</a>'
        f'<p><a id=slow href="http://{UNKNOWN}{at}/slow">a slow one</a>'
        '<p><a href="/gone">a page that is gone</a>'
    )
    many = "".join(f'<a href="/symphony/{n}">Symphony number {n}</a> ' for n in range(MANY))
    english = {
        "/robots.txt": LabAnswer(404),
        "/": make_page("Music library", LIBRARY * 2, _list_links(at)),
        "/haydn": make_page("Joseph Haydn", HAYDN * 2, '<a href="/">Home of the library</a>'),
        "/moved": LabAnswer(301, (("Location", "/haydn"),)),
        "/hostile": make_page(_escape(HOSTILE_TITLE), _escape(HOSTILE_TITLE) + LIBRARY),
        "/attacker": make_page("Attacker", LIBRARY * 2, _list_links(at), LISTENER),
        "/login": make_page("Login", LIBRARY, f"<form><input type=password></form>{_list_links(at)}"),
        "/many": make_page("Many links", LIBRARY * 2, f"<main>{many}</main>"),
        "/narrow": make_page("Many links", LIBRARY * 2, f"<main>{many}</main>"),
        "/gallery": make_page("Gallery", LIBRARY, gallery),
        "/painted": make_page(
            "A painted page", LIBRARY * 2, "<div style='height:500px;background:#0b5c7a'></div>"
        ),
        "/drawn": make_page("What scripts draw", LIBRARY, DRAWN),
        "/scores.zip": LabAnswer(200, (("Content-Type", "application/zip"),), b"PK"),
        **{f"/letters/{n}": make_page(f"Letter {n}", _write_letter(n), about) for n in range(LETTERS)},
        "/letters": make_page(
            "Letters", LIBRARY, "".join(f'<a href="/letters/{n}">{n}</a>' for n in range(LETTERS))
        ),
    }
    german = {
        "/robots.txt": LabAnswer(404),
        "/": make_page("Komponisten", GERMAN_TEXT, '<a href="/lieder">Lieder</a>', language="de"),
        "/lieder": make_page("Lieder und Sinfonien", GERMAN_TEXT * 2, about, language="de"),
    }
    unknown = {
        "/robots.txt": LabAnswer(404),
        "/unknown": make_page("An unknown page", LIBRARY),
        "/slow": SLOW,
    }
    return Toy({ENGLISH: {**english}, GERMAN: {**german}, UNKNOWN: {**unknown}})
