"""Robots meta tags and X-Robots-Tag headers."""

from datetime import UTC, datetime
from typing import Any

import pytest

from gossamer.net.robots import Directives, directives

AGENT = "Gossamer/0.1 (+https://example.org/)"
DATE = datetime(2030, 6, 25, 15, 0, tzinfo=UTC)
FREE = Directives()


def tag(value: str) -> Directives:
    return directives([], [("X-Robots-Tag", value)], AGENT)


def meta(content: str, name: str = "robots") -> Directives:
    return directives([(name, content)], (), AGENT)


def test_without_tags_everything_is_allowed() -> None:
    assert directives([], [], AGENT) == directives([], {}, AGENT) == directives([], None, "") == FREE
    assert all((FREE.index, FREE.follow, FREE.archive, FREE.snippet, FREE.image_index))


@pytest.mark.parametrize("read", [meta, tag])
@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("noindex", Directives(index=False)),
        ("NoIndex,NOFOLLOW", Directives(index=False, follow=False)),
        ("noindex nofollow", Directives(index=False, follow=False)),
        ("noindex; noarchive", Directives(index=False, archive=False)),
        ("none", Directives(index=False, follow=False)),
        ("all", FREE),
        ("index, follow", FREE),
        ("all, noindex, index", Directives(index=False)),
        ("nosnippet, nocache, noimageindex", Directives(snippet=False, archive=False, image_index=False)),
        ("max-snippet: 20, max-snippet:50", Directives(max_snippet_chars=20)),
        ("max-snippet:-1, max-image-preview:large, noindex", Directives(index=False)),
        ("max-snippet:0", Directives(snippet=False, max_snippet_chars=0)),
        ("max-snippet:many", FREE),
        ("noindexing, no index, no-follow", FREE),
        ("", FREE),
        (",,;, ,", FREE),
        ("unavailable_after: 25 Jun 2030 15:00:00 GMT", Directives(unavailable_after=DATE)),
        (
            "unavailable_after: Tue, 25 Jun 2030 15:00:00 GMT, noindex",
            Directives(index=False, unavailable_after=DATE),
        ),
        (
            "noarchive,Unavailable_After:Tuesday, 25-Jun-30 15:00:00 GMT",
            Directives(archive=False, unavailable_after=DATE),
        ),
        ("unavailable_after: 2030-06-25T15:00:00Z", Directives(unavailable_after=DATE)),
        (
            "unavailable_after: 2031-06-25, unavailable_after: 2030-06-25T17:00:00+02:00",
            Directives(unavailable_after=DATE),
        ),
        ("unavailable_after: some day, nofollow", Directives(follow=False)),
        ("unavailable_after:", FREE),
    ],
)
def test_words_and_values(read: Any, content: str, expected: Directives) -> None:
    assert read(content) == expected


@pytest.mark.parametrize(
    ("name", "counts"),
    [
        ("robots", True),
        ("ROBOTS", True),
        (" gossamer ", True),
        ("Gossamer", True),
        ("googlebot", False),
        ("description", False),
        ("", False),
    ],
)
def test_a_meta_tag_applies_to_all_or_to_the_agent_of_its_name(name: str, counts: bool) -> None:
    assert meta("noindex", name).index is not counts


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("gossamer: noindex, nofollow", Directives(index=False, follow=False)),
        ("Gossamer:none", Directives(index=False, follow=False)),
        ("googlebot: noindex, nofollow", FREE),
        ("noarchive, googlebot: noindex", Directives(archive=False)),
        ("googlebot: nofollow, gossamer: noindex", Directives(index=False)),
        ("googlebot: unavailable_after: Tue, 25 Jun 2030 15:00:00 GMT, noindex", FREE),
        ("gossamer: unavailable_after: Tue, 25 Jun 2030 15:00:00 GMT", Directives(unavailable_after=DATE)),
        ("*: noindex", Directives(index=False)),
        (":noindex", FREE),
    ],
)
def test_a_header_may_have_parts_for_several_agents(value: str, expected: Directives) -> None:
    assert tag(value) == expected


def test_general_and_own_tags_are_combined_and_the_most_restrictive_wins() -> None:
    tags = [("robots", "noindex"), ("gossamer", "index, nofollow"), ("googlebot", "noarchive")]
    headers = [
        ("x-robots-tag", "all"),
        ("X-Robots-Tag", "gossamer: nosnippet"),
        ("Content-Type", "noarchive"),
    ]
    assert directives(tags, headers, AGENT) == Directives(index=False, follow=False, snippet=False)


def test_without_an_agent_only_general_directives_count() -> None:
    tags = [("", "noindex"), ("gossamer", "noindex"), ("robots", "nofollow")]
    assert directives(tags, [("X-Robots-Tag", "gossamer: noindex")], "") == Directives(follow=False)


@pytest.mark.parametrize(
    "headers",
    [
        {"X-ROBOTS-TAG": "noindex"},
        {"x-robots-tag": ["noarchive", "noindex"]},
        [(b"X-Robots-Tag", b"noindex")],
        (("X-Robots-Tag", "other: none"), ("X-Robots-Tag", "noindex")),
    ],
)
def test_headers_may_have_several_types(headers: Any) -> None:
    assert not directives([], headers, AGENT).index


@pytest.mark.parametrize(
    ("content", "days"),
    [
        ("7 days", 7),
        ("7days", 7),
        ("1 Day", 1),
        ("14", 14),
        ("2 weeks", 14),
        ("1 month", 30),
        ("1 year", 365),
        ("12 hours", 0.5),
        ("weekly", 7),
        ("10 Tage", 10),
        ("0 days", None),
        ("-1 days", None),
        ("999999 years", None),
        ("7 moons", None),
        ("often", None),
        ("", None),
    ],
)
def test_revisit_after(content: str, days: float | None) -> None:
    assert meta(content, "Revisit-After").revisit_after_s == (None if days is None else days * 86_400)


def test_the_first_valid_revisit_after_counts() -> None:
    tags = [("revisit-after", "often"), ("revisit-after", "2 days"), ("revisit-after", "9 days")]
    assert directives(tags, (), AGENT).revisit_after_s == 2 * 86_400
