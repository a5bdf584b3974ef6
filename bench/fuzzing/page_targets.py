"""Fuzz targets: what is done with every page that arrives, from its bytes to its links and fingerprints."""

import gzip
import random
import zlib
from collections.abc import Callable
from pathlib import Path

from fuzzing.damage import SAMPLES, damage
from fuzzing.random_inputs import make_page, make_text, make_texts
from gossamer.crawl.task.link_keys import ids_of, kinds_of, targets_of, unknown_places
from gossamer.errors import BadUrl
from gossamer.fetch.http.content_decoding import make_decoder
from gossamer.net import encoding, fingerprint, html, media_type, robots, url
from gossamer.net.css_references import find_css_references
from gossamer.net.html.references import find_place, read_references
from gossamer.net.html.references.find_edits import find_edits
from gossamer.net.html.references.find_repairs import find_repairs
from gossamer.net.html.references.reference_kinds import KINDS
from gossamer.net.html.references.scan_links import list_changes, scan_links
from gossamer.net.sitemap import read_sitemap
from gossamer.net.url.resolve_links import LinkResolver
from gossamer.order.learning.link_features import extract_link_features, extract_page_features
from gossamer.order.learning.link_learner import MEASURES, LinkLearner
from gossamer.store.batch import KIND_OF_TYPE

Target = Callable[[random.Random, Path], object]
"""Makes one input with a seeded generator, in a folder for scratch files, and gives it to the program."""

PAGE = "http://h.example/dir/page.html"
_TYPES = (
    None,
    "text/html",
    "text/html; charset=utf-16",
    "text/html;charset=shift_jis",
    "application/xhtml+xml",
    "x/y; charset=big5",
)
_CODINGS = ("gzip", "deflate", "br", "zstd", "gzip, br", "gzip, gzip, gzip")


def read_all(body: bytes, content_type: str | None = "text/html") -> None:
    """Read a page and compute everything that depends on it."""
    document = html.read(body, PAGE, content_type)
    html.blocks(document)
    html.main_text(document)
    known: dict[str, dict[bytes, bytes | None]] = {kind: {} for kind in KINDS}
    for found in read_references(body).references:
        if not 0 <= found.start <= found.end <= len(body):
            raise AssertionError(f"not a place in the page: {found}")
        find_place(body, found.start)
        known[found.kind][found.url.partition("#")[0].encode()] = b"x"
    places = scan_links(body, 20_000, KINDS, {kind: 0 for kind in KINDS if kind != "base"})[2]
    if places is not None:
        for start, end, address in list_changes(places.spots, [address for _, address in places.addresses]):
            if body[start:end] != address:
                raise AssertionError(f"not the place of {address!r}: {start} to {end}")
    for start, end, _ in find_edits(body, known)[0]:
        if not 0 <= start <= end <= len(body):
            raise AssertionError(f"not a place in the page: {start} to {end}")
    list(find_css_references(body))
    find_repairs(body)
    fingerprint.text_digest(document.text)
    fingerprint.simhash(document.text)
    fingerprint.text_fingerprints(document.text)
    robots.directives(document.robots, [("X-Robots-Tag", document.description)], "gossamer")


def ask_robots(body: bytes) -> None:
    """Parse a robots file and query its rules."""
    rules = robots.parse(body)
    rules.allows("http://h.example/a/b?c=d%2F", "gossamer/1.0")
    rules.delay_s("gossamer")


def resolve(body: bytes) -> None:
    """Compute the canonical form of the first bytes, taken as an address."""
    text = body[:300].decode("utf-8", "surrogateescape")
    try:
        once = url.canonical(text, "http://h.example/dir/")
    except BadUrl:
        return
    if url.canonical(once) != once:
        raise AssertionError(f"not idempotent: {text!r}")
    url.site(url.host(once))


def _read_made_page(chance: random.Random, _: Path) -> None:
    read_all(make_page(chance), chance.choice(_TYPES))


def _read_damaged_page(chance: random.Random, _: Path) -> None:
    read_all(damage(chance.choice([*SAMPLES, make_page(chance)]), chance), chance.choice(_TYPES))


def _decode(chance: random.Random, _: Path) -> None:
    body = make_text(chance).encode(chance.choice(["utf-8", "utf-16", "utf-8", "utf-32"]), "surrogatepass")
    encoding.as_utf8(damage(body, chance), chance.choice(_TYPES))
    encoding.decode(chance.randbytes(chance.choice([0, 1, 7, 300])), chance.choice(_TYPES))


def _unpack(chance: random.Random, _: Path) -> None:
    body = make_page(chance)
    packed = chance.choice([gzip.compress(body) * 2, zlib.compress(body), zlib.compress(body)[2:-4], body])
    decoder = make_decoder(chance.choice(_CODINGS), 300_000, 100.0)
    if decoder is not None:
        decoder.feed(damage(packed, chance))
        decoder.finish()


def _read_small_files(chance: random.Random, _: Path) -> None:
    body = damage(chance.choice(SAMPLES), chance)
    ask_robots(body)
    resolve(body)
    read_sitemap.read(body, "http://h.example/sitemap.xml")
    media_type.detect_kind(body[:30].decode("latin-1"), body, "http://h.example/a.pdf")


def _follow_links(chance: random.Random, _: Path) -> None:
    """Resolve links, number them, and learn from them, as a crawl does."""
    document = html.read(make_page(chance), PAGE, "text/html")
    resolver = LinkResolver(chance.choice([PAGE, "http://h.example", make_text(chance)[:50]]))
    resolver.resolve_all(make_texts(chance, 20, 80))
    links = list(document.links)[:200]
    urls = [link.url for link in links]
    ids = ids_of(urls)
    targets_of(urls, ids)
    unknown_places(urls, ids, chance.randbytes(len(ids)))
    kinds_of([link.type for link in links], urls, [link.rel for link in links], KIND_OF_TYPE, {}, 4)
    odds = [chance.choice([0.0, -3.5, 1e300, -1e300, float("inf")]) for _ in links]
    shared = extract_page_features(PAGE, make_text(chance)[:300], chance.choice([0.0, 1.0, 0.37]), 3, 2)
    features = extract_link_features(shared, PAGE, links, make_texts(chance, len(links), 60), odds)
    learner = LinkLearner(0.1, (0.0,) * MEASURES)
    keys = [ids[link] for link in urls]
    learner.add_links(keys, features, -2.0, 0.5, 3.0, [0.1] * len(keys))
    learner.record_links(keys, 0.9)
    for key in keys[:20]:
        packed = learner.pack_link(key)
        if packed is not None:
            learner.learn(packed, chance.random(), 1.0)
    learner.take_score_changes(0.1, 0.01, 0.0)
    other = LinkLearner(0.1, (0.0,) * MEASURES)
    other.load(damage(learner.pack_all() or b"x", chance))
    other.merge(learner.pack_changes() + chance.randbytes(5))


def _compute_fingerprints(chance: random.Random, _: Path) -> None:
    text = make_text(chance)
    fingerprint.text_fingerprints(text)
    fingerprint.digest(text.encode("utf-8", "surrogatepass"))


TARGETS: dict[str, Target] = {
    "made page": _read_made_page,
    "damaged page": _read_damaged_page,
    "encoding": _decode,
    "content coding": _unpack,
    "small files": _read_small_files,
    "links": _follow_links,
    "fingerprints": _compute_fingerprints,
}
