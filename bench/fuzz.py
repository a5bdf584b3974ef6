"""Feed damaged pages, robots files, sitemaps and addresses to `net/` for a limited time; nothing may raise.

Inputs are real pages where they are installed, and small samples; each round damages one of them in a few places (bytes
changed, pieces cut, repeated and replaced, special fragments inserted). To repeat a finding, use the same seed:
python bench/fuzz.py --seed N --seconds 60
"""

import argparse
import random
import sys
import time
from collections.abc import Callable, Iterable
from pathlib import Path

from gossamer.errors import BadUrl
from gossamer.net import encoding, fingerprint, html, media_type, robots, url
from gossamer.net.sitemap import read_sitemap
from pages import read_documentation_pages

FRAGMENTS = [
    b"<", b">", b"</", b"<!--", b"-->", b"]]>", b"<![CDATA[", b"\x00", b"\xff\xfe", b"\xef\xbb\xbf", b"&#0;", b"&#xd800;",
    b"<a href=", b"<base href='//[::1'>", b"<svg><title>", b"<table><tr><p>", b"<frameset>", b"<template>", b"<select><b>",
    b"<meta http-equiv=refresh content='0;url=", b"<meta charset=utf-16>", b"<plaintext>", b"<textarea>", b"<math><mi>",
    b"User-agent: *\n", b"Disallow: /*$*$\n", b"Crawl-delay: 1e999\n", b"Sitemap: \\\\x\n", b"\r", b"<!DOCTYPE x [<!ENTITY a '",
    b"&a;&a;&a;", b"<urlset>", b"<loc>", b"<lastmod>9999-99-99</lastmod>", b"http://[", b"%", b"%2e%2e/", b"\\\\", b"@", b":99999",
]  # fmt: skip

SAMPLES = [
    b"<html lang=de><head><title>Probe</title><base href=/x/></head><body><h1>Eins</h1><p>Text <a href=a.html>da</a>",
    b"User-agent: a\nAllow: /x*y$\nDisallow: /\nCrawl-delay: 2\nSitemap: http://h.example/s.xml\n",
    b"<?xml version='1.0'?><urlset><url><loc>http://h.example/a</loc><lastmod>2024-05-01</lastmod></url></urlset>",
    b"<rss><channel><item><link>http://h.example/a</link><pubDate>Mon, 01 Jan 2024 00:00:00 GMT</pubDate></item></channel></rss>",
    b"http://user:pw@H.Example:80/a/../b;jsessionid=1?utm_source=x&q=%7e#f",
]


def read_all(body: bytes) -> None:
    """Read a page and compute everything that depends on it."""
    document = html.read(body, "http://h.example/dir/page.html", "text/html")
    html.blocks(document)
    fingerprint.text_digest(document.text)
    fingerprint.simhash(document.text)
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


TARGETS: dict[str, Callable[[bytes], object]] = {
    "html": read_all,
    "robots": ask_robots,
    "sitemap": lambda body: read_sitemap.read(body, "http://h.example/sitemap.xml"),
    "encoding": lambda body: encoding.decode(body, body[:40].decode("latin-1")),
    "mime": lambda body: media_type.detect_kind(body[:30].decode("latin-1"), body, "http://h.example/a.pdf"),
    "url": resolve,
}


def damage(body: bytes, chance: random.Random) -> bytes:
    """Damage an input in one to eight places."""
    broken = bytearray(body[: chance.choice([200, 2_000, 20_000, 100_000])])
    for _ in range(chance.randint(1, 8)):
        at = chance.randint(0, len(broken))
        end = min(len(broken), at + chance.randint(1, 200))
        match chance.randrange(5):
            case 0:
                broken[at:at] = chance.choice(FRAGMENTS) * chance.choice([1, 1, 1, 50])
            case 1:
                del broken[at:end]
            case 2:
                broken[at:at] = broken[at:end] * chance.choice([1, 1, 30])
            case 3 if at < len(broken):
                broken[at] = chance.randrange(256)
            case _:
                broken[at:end] = chance.randbytes(end - at)
    return bytes(broken)


def fuzz(seconds: float, seed: int, material: Iterable[bytes]) -> dict[str, float]:
    """Run rounds until the time is over; save inputs that raise in bench/results/."""
    chance = random.Random(seed)
    stock = [*SAMPLES * 5, *material]
    rounds, crashes, slowest_s = 0, 0, 0.0
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        body = damage(chance.choice(stock), chance)
        for name, target in TARGETS.items():
            began = time.process_time()
            try:
                target(body)
            except Exception as error:  # noqa: BLE001 - any exception at all is the finding
                crashes += 1
                keep(body, name, error)
            slowest_s = max(slowest_s, time.process_time() - began)
        rounds += 1
    return {"fuzz.rounds": float(rounds), "fuzz.crashes": float(crashes), "fuzz.slowest_s": slowest_s}


def keep(body: bytes, target: str, error: Exception) -> None:
    """Save an input that raised, and print the error."""
    folder = Path(__file__).parent / "results"
    folder.mkdir(exist_ok=True)
    path = folder / f"crash-{target}-{fingerprint.text_digest(repr(body)) & 0xFFFFFFFF:08x}.bin"
    path.write_bytes(body)
    print(f"{target}: {type(error).__name__}: {error}  (input in {path.name})", file=sys.stderr)


def measure(seconds: float = 30.0, seed: int = 20_011) -> dict[str, float]:
    """Fuzz for the benchmark run."""
    return fuzz(seconds, seed, [page.body for page in read_documentation_pages()[:40]])


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--seed", type=int, default=20_011)
    arguments = parser.parse_args()
    found = measure(arguments.seconds, arguments.seed)
    print(found)
    sys.exit(found["fuzz.crashes"] > 0)
