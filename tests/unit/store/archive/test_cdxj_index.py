"""Index lines, and the keys that Wayback Machines look up."""

import json

import pytest

from gossamer.store.archive.cdxj_index import format_line, surt


# Keys by the Internet Archive's rules; tests/formats compares thousands with its own program.
@pytest.mark.parametrize(
    ("url", "key"),
    [
        ("http://www.example.org/", "org,example)/"),
        ("https://Example.ORG:443/A/B.html", "org,example)/a/b.html"),
        ("http://www2.a.example.com:8080/x//y/./z/../w/", "com,example,a:8080)/x/y/w"),
        ("http://e.com", "com,e)/"),
        ("http://e.com?x=1/2", "com,e)/?x=1/2"),
        ("http://e.com/a?b=2&a=1&a#c", "com,e)/a?a&a=1&b=2"),
        ("http://e.com/%7Euser/%2541%20b", "com,e)/~user/a%20b"),
        ("http://e.com/?PHPSESSID=0123456789abcdef0123456789ABCDEF&q=1", "com,e)/?q=1"),
        ("http://e.com/(S(abcdefghijklmnopqrstuvwx))/a.aspx", "com,e)/a.aspx"),
        ("http://user:pw@127.0.0.1:81/a", "1,0,0,127:81)/a"),
        ("http://[::1]:8000/x", "::1:8000)/x"),
        ("http://e.com/ä", "com,e)/%c3%a4"),
        ("", ")/"),
    ],
)
def test_keys(url: str, key: str) -> None:
    assert surt(url) == key


def test_a_line_contains_the_position_of_its_response() -> None:
    told = format_line(
        "http://e.com/ä b", "2026-09-21T14:13:21Z", "text/html", 200, "sha1:ABC", 345, 67, "a.warc.gz"
    )
    key, time, about = told.split(" ", 2)
    assert (key, time) == ("com,e)/%c3%a4%20b", "20260921141321")
    assert json.loads(about) == {
        "url": "http://e.com/ä b",
        "mime": "text/html",
        "status": "200",
        "digest": "sha1:ABC",
        "length": "67",
        "offset": "345",
        "filename": "a.warc.gz",
    }


def test_unknown_fields_are_left_out() -> None:
    assert "mime" not in format_line("http://e.com/", "", "", 301, "", 1, 2, "a")
