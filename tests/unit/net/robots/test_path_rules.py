"""Robots rules: which pattern matches a path, and which of several decides."""

import pytest

from gossamer.net.robots.path_rules import Rule, Rulebook, normalize_path


def decide(path: str, *lines: str) -> bool:
    """Check a path against rules: "+/x" allows, "-/x" forbids."""
    return Rulebook(Rule(line[0] == "+", line[1:].encode()) for line in lines).allows(normalize_path(path))


@pytest.mark.parametrize(
    ("pattern", "path", "matches"),
    [
        ("/", "/", True),
        ("/fish", "/fishheads?x", True),
        ("/fish", "/Fish", False),
        ("/fish", "/catfish", False),
        ("/fish*", "/fish", True),
        ("/fish$", "/fish", True),
        ("/fish$", "/fish/", False),
        ("/fish$x", "/fish$x/y", True),
        ("/*.php$", "/a/b.php", True),
        ("/*.php$", "/a/b.php?x", False),
        ("/a*a$", "/a", False),
        ("/a*a$", "/aa", True),
        ("/a*b*a$", "/aba", True),
        ("/a*b*a$", "/aab", False),
        ("/*ab*ab", "/xabab", True),
        ("/*ab*ab", "/xab", False),
        ("*.gif", "/x.gif", True),
        ("*", "/", True),
        ("/**x", "/x", True),
        ("/x*$", "/xyz", True),
        ("fish", "/fish", False),
        ("", "/", False),
        ("$", "/", False),
    ],
)
def test_patterns(pattern: str, path: str, matches: bool) -> None:
    assert decide(path, "-" + pattern) is not matches


@pytest.mark.parametrize(
    ("pattern", "path", "matches"),
    [
        # The table of RFC 9309, section 2.2.2.
        ("/foo/bar?baz=quz", "/foo/bar?baz=quz", True),
        ("/foo/bar?baz=http://foo.bar", "/foo/bar?baz=http%3A%2F%2Ffoo.bar", True),
        ("/foo/bar?baz=http%3a%2f%2ffoo.bar", "/foo/bar?baz=http://foo.bar", True),
        ("/foo/bar/ツ", "/foo/bar/%E3%83%84", True),
        ("/foo/bar/%e3%83%84", "/foo/bar/ツ", True),
        ("/foo/bar/%62%61%7A", "/foo/bar/baz", True),
        ("/foo/bar/baz", "/foo/bar/%62%61%7a", True),
        # Section 2.2.3: special characters as themselves.
        ("/file-with-a-%2A.html", "/file-with-a-*.html", True),
        ("/file-with-a-%2A.html", "/file-with-a-b.html", False),
        ("/path/foo-%24", "/path/foo-$", True),
        ("/path/foo-%24", "/path/foo-", False),
        # What delimits is not the same when it is encoded.
        ("/a%2Fb", "/a/b", False),
        ("/a%2fb", "/a%2Fb", True),
        ("/a?x=1%262", "/a?x=1&2", False),
        ("/a%3Fb", "/a?b", False),
        # A percent sign that encodes nothing is one that should have been encoded.
        ("/100%", "/100%25", True),
        ("/100%25x", "/100%x", True),
        ("/100%2541", "/100%41", False),
        ("/a b", "/a%20b", True),
        ("/a|b", "/a%7Cb", True),
        # A slash after a wildcard may stand in the query.
        ("/*/print", "/?next=/print", True),
    ],
)
def test_percent_encoding(pattern: str, path: str, matches: bool) -> None:
    assert decide(path, "-" + pattern) is not matches


@pytest.mark.parametrize(
    ("path", "lines", "allowed"),
    [
        ("/a/b", ("-/a", "+/a/b"), True),
        ("/a/b", ("+/a", "-/a/b"), False),
        ("/a", ("-/a", "+/a"), True),
        ("/a", ("-/", "+/$"), False),
        ("/", ("-/", "+/$"), True),
        ("/page.htm", ("+/page", "-/*.htm"), False),
        ("/x/page.html", ("+/x/page.", "-/*.html"), True),
        ("/fishes", ("-/fish*****", "+/fishes"), False),
        ("/ツ", ("-/%E3%83%84", "+/*"), False),
        ("/a/b/c", ("-/a/", "+/a/b/", "-/a/b/c/", "-/b"), True),
        ("/other", ("-/a", "+/b"), True),
    ],
)
def test_the_longest_pattern_decides_and_allow_wins_ties(
    path: str, lines: tuple[str, ...], allowed: bool
) -> None:
    assert decide(path, *lines) is allowed


@pytest.mark.parametrize(
    ("url", "path"),
    [
        ("", "/"),
        ("http://foo.bar", "/"),
        ("http://foo.bar/a/b?c=d#e", "/a/b?c=d"),
        ("http://foo.bar?c", "/?c"),
        ("http://foo.bar;p", "/;p"),
        ("http://foo.bar#/a", "/"),
        ("//foo.bar/a", "/a"),
        ("/a/b", "/a/b"),
        ("/a?u=http://foo.bar/b", "/a?u=http://foo.bar/b"),
        ("foo.bar/a", "/a"),
        ("?c", "/?c"),
        ("http://foo.bar/\ud800", "/%ED%A0%80"),
        ("http://foo.bar/a\nb\0", "/a%0Ab%00"),
    ],
)
def test_the_path_of_a_url(url: str, path: str) -> None:
    assert normalize_path(url) == path
