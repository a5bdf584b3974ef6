"""Inputs that a hostile server or a damaged file could send: samples, fragments, and damage to both."""

import random

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
