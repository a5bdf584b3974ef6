"""A site with planted defects of every kind that `gossamer check` knows, and the list of them, made by other code than the check's."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

Answer = tuple[int, dict[str, str], bytes]
Planted = set[tuple[str, str, str]]
"""Problem, target and source of each defect; addresses without the origin of the site."""

PAGES = 200
LINKS = 50
GERMAN = (
    "Die Spinne läuft durch das Netz und sammelt Seiten, die andere geschrieben haben. Sie fragt jeden Rechner höflich, "
    "ob sie eintreten darf, und wartet eine Weile, bevor sie wiederkommt. Was sie findet, legt sie in ein Archiv. "
)


class PlantedSite:
    """Answers by path, and the defects among them."""

    def __init__(self) -> None:
        self.answers: dict[str, Answer] = {}
        self.planted: Planted = set()
        self.links = 0
        self._add_pages()
        self._add_addresses()
        self._add_defective_pages()

    def add(
        self, path: str, body: bytes | str, status: int = 200, kind: str = "text/html", **headers: str
    ) -> None:
        encoded = body.encode() if isinstance(body, str) else body
        self.answers[path] = status, {"Content-Type": kind, **headers}, encoded

    def plant(self, problem: str, target: str, source: str) -> None:
        self.planted.add((problem, target, source))

    def _add_pages(self) -> None:
        """Add sound pages, each with fifty links; some of them also with one of each defect of links."""
        bad = {
            "/missing": "broken",
            "/gone": "broken",
            "/error": "broken",
            "/forbidden": "unknown",
            "/slow-down": "unknown",
            "/loop-1": "redirect-loop",
            "/moved": "permanent-redirect",
            "/chain-1": "redirect-chain",
            "/private/page": "robots-refused",
            "/no.png": "broken",
            "/no.js": "broken",
            "/no.css": "broken",
            "/no-frame": "broken",
            "/no-feed": "broken",
            "/no-poster.jpg": "broken",
            "/no-2x.png": "broken",
            "/no-form": "broken",
            "/no-icon.png": "broken",
            "/no-canonical": "broken",
            "/no-german": "broken",
            "/no-style.png": "broken",
            "/no-og.png": "broken",
            "http://127.0.0.1:1/": "unreachable",
        }
        marks = {
            "/no.png": '<img alt="" src="{}">',
            "/no.js": '<script src="{}"></script>',
            "/no.css": '<link rel="stylesheet" href="{}">',
            "/no-frame": '<iframe src="{}"></iframe>',
            "/no-feed": '<link rel="alternate" type="application/rss+xml" href="{}">',
            "/no-poster.jpg": '<video poster="{}"></video>',
            "/no-2x.png": '<img alt="" src="/pic.png" srcset="/pic.png 1x, {} 2x">',
            "/no-form": '<form action="{}"></form>',
            "/no-icon.png": '<link rel="icon" href="{}">',
            "/no-canonical": '<link rel="canonical" href="{}">',
            "/no-german": '<link rel="alternate" hreflang="de" href="{}">',
            "/no-style.png": "<p style=\"background: url('{}')\"></p>",
            "/no-og.png": '<meta property="og:image" content="{}">',
        }
        for number in range(PAGES):
            source = f"/page-{number}"
            others = [(number * 7 + step * 3 + 1) % PAGES for step in range(LINKS)]
            links = [f'<a href="/page-{other}#part-{other % 5}">{other}</a>' for other in others]
            self.links += LINKS
            for place, (target, problem) in enumerate(bad.items()):
                if (number + place) % 10 == 0:
                    links.append(marks.get(target, '<a href="{}">x</a>').format(target))
                    self.plant(problem, target, source)
            if number % 10 == 3:
                links.append(
                    f'<a href="/page-{number + 1}#nowhere">x</a><a href="#neither">y</a><a href="#top">z</a>'
                )
                self.plant("fragment", f"/page-{number + 1}#nowhere", source)
                self.plant("fragment", f"{source}#neither", source)
            parts = "".join(f'<h2 id="part-{part}">Part</h2>' for part in range(5))
            self.add(
                source, f"<!DOCTYPE html><title>Page {number}</title>{parts}<div>{' '.join(links)}</div>"
            )
        every = " ".join(f'<a href="/page-{number}">{number}</a>' for number in range(PAGES))
        extra = " ".join(f'<a href="{path}">x</a>' for path in self._special_pages)
        self.add("/", f"<!DOCTYPE html><title>Start</title><p>{every} {extra}</p>")

    _special_pages = (
        *(
            "/twin-1",
            "/twin-2",
            "/untitled",
            "/no-alt",
            "/latin",
            "/german",
            "/repair",
            "/invalid",
            "/styled",
        ),
        *("/old-links", "/sound"),
    )

    def _add_addresses(self) -> None:
        self.add("/gone", "gone", 410)
        self.add("/error", "error", 500)
        self.add("/forbidden", "no", 403)
        self.add("/slow-down", "later", 429)
        self.add("/loop-1", "", 302, Location="/loop-2")
        self.add("/loop-2", "", 302, Location="/loop-1")
        self.add("/moved", "", 301, Location="/page-1")
        self.add("/chain-1", "", 302, Location="/chain-2")
        self.add("/chain-2", "", 302, Location="/page-2")
        self.add("/pic.png", b"\x89PNG\r\n\x1a\n", kind="image/png")
        self.add("/robots.txt", "User-agent: *\nDisallow: /private/\n", kind="text/plain")
        entries = "".join(
            f"<url><loc>{{origin}}{path}</loc></url>" for path in ("/page-0", "/lonely", "/no-entry")
        )
        space = "http://www.sitemaps.org/schemas/sitemap/0.9"
        self.add(
            "/sitemap.xml",
            f'<?xml version="1.0"?><urlset xmlns="{space}">{entries}</urlset>',
            kind="application/xml",
        )
        self.add("/lonely", "<!DOCTYPE html><title>Lonely</title><p>x</p>")
        self.plant("orphan", "/lonely", "/sitemap.xml")
        self.plant("broken", "/no-entry", "/sitemap.xml")

    def _add_defective_pages(self) -> None:
        for twin in ("/twin-1", "/twin-2"):
            self.add(twin, "<!DOCTYPE html><title>Twin</title><p>x</p>")
            self.plant("duplicate-title", twin, twin)
        self.add("/untitled", "<!DOCTYPE html><p>x</p>")
        self.plant("missing-title", "/untitled", "/untitled")
        self.add(
            "/no-alt",
            '<!DOCTYPE html><title>No alt</title><p><img src="/pic.png"><img src="/pic.png" alt=""></p>',
        )
        self.plant("missing-alt", "/no-alt", "/no-alt")
        latin = "<!DOCTYPE html><meta charset=utf-8><title>Latin</title><p>Größe</p>".encode("latin-1")
        self.add("/latin", latin)
        self.plant("wrong-encoding", "/latin", "/latin")
        self.add(
            "/german",
            f'<!DOCTYPE html><html lang="en"><meta charset=utf-8><title>German</title><p>{GERMAN * 5}</p>',
        )
        self.plant("wrong-language", "/german", "/german")
        self.add("/repair", "<!DOCTYPE html><title>Repair</title><div><p><b><i>x</b></i></p>\n</div>")
        self.plant("html-repair", "/repair", "/repair")
        self.add(
            "/invalid",
            '<!DOCTYPE html><title>Invalid</title><p><a href="http://">x</a> <a href="mailto:a@b.example">y</a></p>',
        )
        self.plant("invalid-address", "http://", "/invalid")
        self.add(
            "/styled", '<!DOCTYPE html><title>Styled</title><link rel="stylesheet" href="/style.css"><p>x</p>'
        )
        self.add(
            "/style.css",
            '@import "/more.css"; p { background: url(/no-background.png) } /* url(/comment.png) */',
            kind="text/css",
        )
        self.add("/more.css", "p { background: url('/pic.png') }", kind="text/css")
        self.plant("broken", "/no-background.png", "/style.css")
        self.add(
            "/old-links",
            '<!DOCTYPE html><title>Old</title><p><a name="here">x</a><a href="#here">y</a><a href="#%68ere">z</a></p>',
        )
        hidden = '<!-- <a href="/comment"> --><script>"<a href=/script>"</script><template><a href="/template"></a></template>'
        self.add("/sound", f"<!DOCTYPE html><title>Sound</title>{hidden}<p>x</p>")


@contextmanager
def serve(site: PlantedSite) -> Iterator[str]:
    """Serve the site on loopback; yield its origin."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            status, headers, body = site.answers.get(self.path, (404, {"Content-Type": "text/html"}, b"none"))
            body = body.replace(b"{origin}", origin.encode())
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            if self.command == "GET":
                self.wfile.write(body)

        do_HEAD = do_GET  # noqa: N815 - the name is that of the library

        def log_message(self, *_: object) -> None:
            """Log nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    origin = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield origin
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
