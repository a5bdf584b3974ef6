"""Write a site to crawl from Debian's documentation: 16 hosts, a known set of pages, no broken links.

Every host gets the same number of pages of each package, taken at even distances from all pages of 18,000 to
120,000 bytes, so that all hosts are of similar size and the mean page has 42 kB and some ninety links. Some pages are on
several hosts; each copy names its host, so that a crawler gains nothing from having stored another copy.

Pages are as Debian installs them, except for the targets of references: a reference to a file that was not taken leads
to a page of the same host and package instead. So every crawler can reach the same pages and nothing else, regardless of
the tags that it follows. The start page of a host links to all its pages, and to one page of every other host.
"""

import html
import posixpath
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from urllib.parse import quote, unquote
from zlib import crc32

import msgspec

from gossamer.errors import BadInput
from pages import DOCUMENTATION, MAX_BYTES, PACKAGES

HOSTS = [f"127.0.16.{number}" for number in range(1, 17)]
MIN_BYTES = 18_000
"""With 15,000 the mean would be 39 kB, with 20,000 45 kB."""
START_PAGE = "index.html"
LONELY_PAGE = "lonely.html"
"""A page without links in or out: fetching it alone shows the start-up cost of a crawler."""

_REFERENCE = re.compile(rb'(\s(?:href|src|action)|<object\b[^>]*?\bdata)="([^"]*)"')
_ELSEWHERE = re.compile(r"[a-zA-Z][a-zA-Z0-9+.-]*:|//|#|$")
_ROBOTS = b"User-agent: *\nDisallow: /private/\nDisallow: /*.cgi$\n"


class Site(msgspec.Struct, frozen=True):
    """The written site, as a crawler must find it."""

    folder: Path
    """Holds a folder for each host."""
    pages: frozenset[str]
    """Host and path of each page, as in 127.0.16.1/index.html."""
    body_bytes: int
    hrefs: int


class _Copy(msgspec.Struct, frozen=True):
    """One page of one host, before it is written."""

    source: Path
    path: str
    """Below the host's folder."""
    remark: bytes


def write_site(folder: Path, port: int, pages: int) -> Site:
    """Write at least `pages` pages, spread over all hosts; fail if Debian's documentation is not installed."""
    stocks = {package: _list_stock(package) for package in PACKAGES}
    if missing := [package for package, stock in stocks.items() if not stock]:
        raise BadInput(f"no documentation to serve: install {', '.join(missing)}")
    each = -(-pages // (len(HOSTS) * len(PACKAGES)))
    drawn = {
        host: [copy for package, stock in stocks.items() for copy in _draw(package, stock, each, number)]
        for number, host in enumerate(HOSTS)
    }
    doors = [f"http://{host}:{port}/{quote(copies[0].path)}" for host, copies in drawn.items()]
    written: set[str] = set()
    body_bytes = hrefs = 0
    for host, copies in drawn.items():
        start_page = _make_start_page(host, [quote(copy.path) for copy in copies] + doors)
        for path, body in (*_make_bodies(copies), (START_PAGE, start_page)):
            _write(folder / host / path, body)
            written.add(f"{host}/{path}")
            body_bytes += len(body)
            hrefs += body.count(b'href="')
        _write(
            folder / host / LONELY_PAGE, b"<!DOCTYPE html><title>Alone</title><p>Nothing leads on from here."
        )
        _write(folder / host / "robots.txt", _ROBOTS)
    return Site(folder, frozenset(written), body_bytes, hrefs)


def describe(site: Site) -> str:
    """Describe a site in one line."""
    count = len(site.pages)
    return (
        f"{count:,} pages on {len(HOSTS)} hosts, {site.body_bytes / count:,.0f} bytes"
        f" and {site.hrefs / count:.0f} hrefs each"
    )


def _list_stock(package: str) -> list[Path]:
    root = DOCUMENTATION / package / "html"
    return sorted(path for path in root.rglob("*.html") if MIN_BYTES <= path.stat().st_size <= MAX_BYTES)


def _draw(package: str, stock: list[Path], each: int, host_number: int) -> Iterator[_Copy]:
    """Take pages at even distances; each host starts one page after the host before it."""
    if each > len(stock):
        raise BadInput(f"{package} has {len(stock)} pages to serve on a host, {each} were asked for")
    root = DOCUMENTATION / package / "html"
    for place in range(each):
        source = stock[(place * len(stock) // each + host_number) % len(stock)]
        path = f"{package}/{source.relative_to(root).as_posix()}"
        yield _Copy(source, path, f"<!-- as served by host {host_number + 1} -->\n".encode())


def _make_bodies(copies: list[_Copy]) -> Iterator[tuple[str, bytes]]:
    """Yield the pages of one host with their references rewritten; those of a package stay within it."""
    paths_of: dict[str, list[str]] = {}
    for copy in copies:
        paths_of.setdefault(copy.path.partition("/")[0], []).append(copy.path)
    served = {copy.path for copy in copies}
    for copy in copies:
        own = paths_of[copy.path.partition("/")[0]]
        yield copy.path, _redirect_links(copy.source.read_bytes(), copy.path, served, own) + copy.remark


def _redirect_links(body: bytes, path: str, served: set[str], stand_ins: list[str]) -> bytes:
    """Replace each reference to a file that is not served by one of the stand-ins, always the same one."""
    directory = posixpath.dirname(path)

    @cache  # a page has the same name about a dozen times
    def redirect(name: str) -> str:
        target = posixpath.normpath(posixpath.join(directory, unquote(name)))
        if target in served:
            return name
        stand_in = stand_ins[crc32(target.encode()) % len(stand_ins)]
        return quote(posixpath.relpath(f"/{stand_in}", f"/{directory}"))

    def replace(match: re.Match[bytes]) -> bytes:
        written = html.unescape(match[2].decode("utf-8", "replace"))
        if _ELSEWHERE.match(written):
            return match[0]
        name, hash_sign, fragment = written.partition("#")
        return match[1] + b'="' + html.escape(redirect(name) + hash_sign + fragment).encode() + b'"'

    return _REFERENCE.sub(replace, body)


def _make_start_page(host: str, targets: list[str]) -> bytes:
    lines = "".join(f'<li><a href="{target}">{html.escape(unquote(target))}</a>\n' for target in targets)
    return f"<!DOCTYPE html><title>Pages of {host}</title><ul>\n{lines}</ul>\n".encode()


def _write(path: Path, body: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(body)
