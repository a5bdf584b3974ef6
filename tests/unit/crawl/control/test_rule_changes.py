"""Which changes of options let links in that were refused before."""

from typing import Any

import pytest

from gossamer import config
from gossamer.crawl.control.rule_changes import find_widenings
from gossamer.store.batch import Widening

SEED = "http://a.example/x/"
NOTHING: list[Widening] = []
ALL = [Widening(7)]

CASES: list[tuple[dict[str, Any], dict[str, Any], list[Widening]]] = [
    ({}, {}, NOTHING),
    ({"depth": 2}, {"depth": 5}, [Widening(7, 2)]),
    ({"depth": 2}, {"depth": -1}, [Widening(7, 2)]),
    ({"depth": 2}, {"depth": 1}, NOTHING),
    ({"depth": -1}, {"depth": 9}, NOTHING),
    ({"depth": 2, "exclude": ["x"]}, {"depth": 5, "exclude": []}, ALL),
    ({"per_host": 2}, {"per_host": 3}, ALL),
    ({"per_host": 2}, {"per_host": 0}, ALL),
    ({"per_host": 0}, {"per_host": 2}, NOTHING),
    ({"exclude": ["x", "y"]}, {"exclude": ["y"]}, ALL),
    ({"exclude": ["x"]}, {"exclude": ["y", "x"]}, NOTHING),
    ({"include": ["x"]}, {"include": []}, ALL),
    ({"include": ["x"]}, {"include": ["x", "y"]}, ALL),
    ({"include": ["x", "y"]}, {"include": ["y"]}, NOTHING),
    ({"include": []}, {"include": ["y"]}, NOTHING),
    ({"include_hosts": ["x"]}, {"include_hosts": ["y"]}, ALL),
    ({"exclude_hosts": ["x"]}, {"exclude_hosts": []}, ALL),
    ({}, {"nofollow": False}, ALL),
    ({"nofollow": False}, {"nofollow": True}, NOTHING),
    ({}, {"traps": False}, ALL),
    ({"content_seen": True}, {"content_seen": False}, ALL),
    ({"scope": "host"}, {"scope": "site"}, ALL),
    ({"scope": "site"}, {"scope": "host"}, NOTHING),
    ({"scope": "host"}, {"scope": "external"}, ALL),
    ({"scope": "external"}, {"scope": "page"}, ALL),
    ({"scope": "any"}, {"scope": "external"}, NOTHING),
    ({"scope": "site"}, {"site_rule": "name"}, ALL),
    ({"scope": "host"}, {"seeds": [SEED, "http://a.example/y/"]}, NOTHING),
    ({"scope": "host"}, {"seeds": [SEED, "http://b.example/"]}, ALL),
    ({"scope": "directory"}, {"seeds": [SEED, "http://a.example/y/"]}, ALL),
    ({"scope": "any"}, {"seeds": [SEED, "http://b.example/"]}, NOTHING),
    ({}, {"pages": 9, "delay_s": 3.0, "order": "depth"}, NOTHING),
]


@pytest.mark.parametrize(("before", "now", "expected"), CASES)
def test_only_what_is_wider_is_judged_again(
    before: dict[str, Any], now: dict[str, Any], expected: list[Widening]
) -> None:
    spec = config.from_options(seeds=[SEED], **before)
    assert find_widenings(7, spec, config.replace_options(spec, **now)) == expected
