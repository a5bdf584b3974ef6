import pytest

from gossamer.fetch.http.request_head import Target, format_head, make_header_lines, parse_target


@pytest.mark.parametrize(
    ("url", "target"),
    [
        ("http://a.example/", Target("http", "a.example", "/")),
        ("HTTPS://a.example:8443/b?c=d#e", Target("https", "a.example:8443", "/b?c=d")),
        ("http://a.example", Target("http", "a.example", "/")),
        ("http://a.example?q", Target("http", "a.example", "/?q")),
        ("http://a.example#top", Target("http", "a.example", "/")),
        ("http://[2001:db8::1]:8080/x", Target("http", "[2001:db8::1]:8080", "/x")),
        ("http://a_b.example/\"<>|{}^`\\'", Target("http", "a_b.example", "/\"<>|{}^`\\'")),
        ("http://A.Example:80/B", Target("http", "a.example", "/B")),
        ("https://a.example:443/", Target("https", "a.example", "/")),
        ("https://a.example:80/", Target("https", "a.example:80", "/")),
        ("http://a.example:/", Target("http", "a.example", "/")),
        ("http://[::80]/", Target("http", "[::80]", "/")),
        ("http://a.example/@b", Target("http", "a.example", "/@b")),
    ],
)
def test_urls_are_split(url: str, target: Target) -> None:
    assert parse_target(url) == target


@pytest.mark.parametrize(
    "url",
    [
        "",
        "a.example/",
        "//a.example/",
        "ftp://a.example/",
        "http:a.example",
        "http://",
        "http:///path",
        "http://user@a.example/",
        "http://user:secret@a.example/",
        "http://a.example\\@b.example/",
        "http://a.example%00/",
        "http://a.example/with space",
        "http://a.example/line\nbreak",
        "http://a.example/\x00",
        "http://a.example/größe",
        "http://größe.example/",
        "http://a.example/\ud800",
        " http://a.example/",
        "http://a.example/\n",
    ],
)
def test_a_url_that_cannot_be_requested_as_it_is_gives_none(url: str) -> None:
    assert parse_target(url) is None


def test_a_head_is_written_line_by_line() -> None:
    lines = make_header_lines(
        "Gossamer/1 (+https://g.example/)", '"v1"', "Sun, 15 Nov 2026 08:00:00 GMT", "user:pass"
    )
    assert format_head("GET", Target("http", "a.example:8080", "/x?y"), lines) == (
        b"GET /x?y HTTP/1.1\r\n"
        b"Host: a.example:8080\r\n"
        b"User-Agent: Gossamer/1 (+https://g.example/)\r\n"
        b"Accept: text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8\r\n"
        b"Accept-Encoding: gzip, deflate, br, zstd\r\n"
        b'If-None-Match: "v1"\r\n'
        b"If-Modified-Since: Sun, 15 Nov 2026 08:00:00 GMT\r\n"
        b"Authorization: (redacted)\r\n"
        b"\r\n"
    ), "what is recorded holds no password"
    assert b"Authorization: Basic dXNlcjpwYXNz" in lines.each, "what is sent does"


def test_equal_lines_are_the_same_object() -> None:
    assert make_header_lines("Gossamer") is make_header_lines("Gossamer")


@pytest.mark.parametrize("value", ["a\r\nX: y", "a\nb", "a\x00b", "a\u4e16b", "\ud800", "a\x7fb"])
def test_values_that_a_header_cannot_hold_are_left_out(value: str) -> None:
    lines = make_header_lines("Gossamer", value, value)
    assert b"If-" not in lines.together
    cleaned = make_header_lines(f"Goss{value}amer").each[0]
    assert cleaned.startswith(b"User-Agent: Goss")
    assert not set(cleaned) & set(b"\r\n\x00\x7f")


def test_latin_1_bytes_are_kept() -> None:
    assert b'If-None-Match: "\xe4"' in make_header_lines("Gossamer", '"\xe4"').each
