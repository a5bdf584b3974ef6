"""The rules by which a task follows links: scope, patterns, depth. Pure, so that every decision can be derived again.

A decision depends only on the task, the URL, the link's attributes and its depth. So refused links need not be stored:
`gossamer explain` asks the same rules again.
"""

import re
from collections.abc import Iterable
from functools import lru_cache

from gossamer.config import TaskSpec
from gossamer.net import url as urls
from gossamer.net.url.url_pattern import compile_pattern
from gossamer.records import Link

FOLLOW = ""
"""The decision to follow a link; every other decision is the name of the rule that refused it."""


class ScopeRules:
    """The rules of one task, compiled. `decide` returns the name of the rule that refuses a link, or FOLLOW."""

    def __init__(self, spec: TaskSpec, seeds: Iterable[str]) -> None:
        self._spec = spec
        self._seeds = frozenset(seeds)
        self._hosts = frozenset(map(urls.host, self._seeds))
        near = self._hosts if spec.scope == "site" else ()  # only the scope `site` needs the list of suffixes
        self._sites = frozenset(urls.site(host, spec.site_rule) for host in near)
        self._directories = tuple(
            sorted({seed.partition("?")[0].rpartition("/")[0] + "/" for seed in self._seeds})
        )
        filters = spec.filters
        self._include = _compile(filters.include, "include")
        self._exclude = _compile(filters.exclude, "exclude")
        self._include_hosts = _compile(filters.include_hosts, "include_hosts")
        self._exclude_hosts = _compile(filters.exclude_hosts, "exclude_hosts")
        self.deepest = spec.limits.depth
        self._nofollow = filters.nofollow
        # Scope and host patterns are the same for all pages of a host, and most links stay on few hosts.
        self._host_rule = lru_cache(maxsize=65_536)(self._decide_host)

    def decide(self, link: Link, host: str, depth: int) -> str:
        """Return the name of the rule that refuses a link found at this depth, or FOLLOW."""
        if rule := self.decide_host(host, depth):
            return rule
        if self._spec.scope == "directory" and not link.url.startswith(self._directories):
            return "scope"
        if self._spec.scope == "page" and link.url not in self._seeds:
            return "scope"
        if self._include and not self._include.search(link.url):
            return "include"
        if self._exclude and self._exclude.search(link.url):
            return "exclude"
        if self._nofollow and link.rel and "nofollow" in link.rel.split():
            return "nofollow"
        return FOLLOW

    def decide_host(self, host: str, depth: int) -> str:
        """Return the name of the rule that refuses all links to a host at this depth, or FOLLOW."""
        return "depth" if 0 <= self.deepest < depth else self._host_rule(host)

    def _decide_host(self, host: str) -> str:
        if not self._in_scope(host):
            return "scope"
        if self._include_hosts and not self._include_hosts.search(host):
            return "include_hosts"
        if self._exclude_hosts and self._exclude_hosts.search(host):
            return "exclude_hosts"
        return FOLLOW

    def _in_scope(self, host: str) -> bool:
        match self._spec.scope:
            case "any":
                return True
            case "external":
                return host not in self._hosts
            case "site":
                return host in self._hosts or urls.site(host, self._spec.site_rule) in self._sites
            case _:
                return host in self._hosts


def _compile(patterns: tuple[str, ...], name: str) -> re.Pattern[str] | None:
    """Compile patterns into one; raise BadInput for one that is not a regular expression."""
    for pattern in patterns:
        compile_pattern(pattern, name)
    return re.compile("|".join(f"(?:{pattern})" for pattern in patterns)) if patterns else None
