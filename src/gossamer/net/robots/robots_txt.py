"""Parses robots.txt (RFC 9309), as leniently as Google's parser.

Real files lack colons, misspell `Disallow` and begin with byte-order marks; how to read these comes from
google/robotstxt and its published test cases.
"""

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from gossamer.net.robots.match_user_agent import find_agent_name, parse_agent_line
from gossamer.net.robots.path_rules import Rule, Rulebook, normalize_path

MAX_BYTES = 500 * 1024
"""RFC 9309, section 2.5: a crawler reads at least 500 KiB; the rest is ignored."""
MAX_LINE_BYTES = 2083 * 8 - 1
"""As in google/robotstxt: the rest of a longer line is ignored."""
MAX_DELAY_S = 86_400.0
"""The longest pause between two pages: a site that asks for more gets a day."""
_MAX_KNOWN_AGENTS = 64
_ROBOTS_PATH = "/robots.txt"

# Whole or broken; a lenient decoder turns a broken mark into U+FFFD.
_BYTE_ORDER_MARK = re.compile(rb"(?:\xef\xbb\xbf|\xef\xbf\xbd|\xef\xbb?)+")
_UTF_16 = {b"\xff\xfe": "utf-16-le", b"\xfe\xff": "utf-16-be"}
# The beginning of a name is enough, and these misspellings are frequent: both as in google/robotstxt.
_NAMES = re.compile(
    rb"(?P<agent>user[- ]?agent)"
    rb"|(?P<allow>allow)"
    rb"|(?P<disallow>diss?all?ow|diasllow|disallaw)"
    rb"|(?P<sitemap>site-?map)"
    rb"|(?P<delay>crawl[- ]?delay)"
    rb"|(?P<rate>request[- ]?rate)",
    re.IGNORECASE,
)
_BLANK = re.compile(rb"[ \t]+")
_DELAY = re.compile(rb"(\d+(?:[.,]\d+)?)\s*(?:s|sec|secs|seconds?)?", re.IGNORECASE)
_RATE = re.compile(rb"(\d+)\s*/\s*(\d+)\s*([smh]?)\b.*", re.IGNORECASE)
_UNIT_S = {b"": 1, b"s": 1, b"m": 60, b"h": 3600}
_INDEX_PAGE = re.compile(rb"(.*/)index\.htm[^/]*", re.DOTALL)


@dataclass(slots=True)
class _Group:
    """The rules for agents that are named together. Groups without a rule between them share one list of rules."""

    rules: list[Rule]
    delay_s: float | None = None


class Robots:
    """A robots.txt: which agents may fetch which URLs, with which pause, and the sitemaps it lists."""

    __slots__ = ("_groups", "_rulebooks", "sitemaps")

    def __init__(self, groups: dict[str, list[_Group]], sitemaps: tuple[str, ...]) -> None:
        self._groups = groups
        self._rulebooks: dict[str, Rulebook] = {}
        self.sitemaps = sitemaps
        """As written, in order, each once; they apply to all agents."""

    def allows(self, url: str, agent: str) -> bool:
        """Return whether the agent, given by its name or its whole user-agent string, may fetch the URL.

        The URL may be absolute, a path, or empty for the root. `/robots.txt` is always allowed: RFC 9309, section
        2.2.2.
        """
        path = normalize_path(url)
        if path == _ROBOTS_PATH:
            return True
        rulebook = self._rulebooks.get(agent)
        if rulebook is None:
            rulebook = self._make_rulebook(agent)
        return rulebook.allows(path)

    def delay_s(self, agent: str) -> float | None:
        """Return the pause between two pages that is asked of the agent, in seconds, or None."""
        delays = [group.delay_s for group in self._find_groups(agent) if group.delay_s is not None]
        return max(delays, default=None)

    def _find_groups(self, agent: str) -> list[_Group]:
        """Return the groups that name the agent, else those for all agents."""
        return self._groups.get(find_agent_name(agent)) or self._groups.get("*", [])

    def _make_rulebook(self, agent: str) -> Rulebook:
        """Arrange the rules for an agent, and cache them."""
        lists = {id(group.rules): group.rules for group in self._find_groups(agent)}
        rulebook = Rulebook(rule for rules in lists.values() for rule in rules)
        if len(self._rulebooks) >= _MAX_KNOWN_AGENTS:
            self._rulebooks.clear()
        self._rulebooks[agent] = rulebook
        return rulebook


def parse(body: bytes) -> Robots:
    """Parse a robots.txt; any bytes are accepted, and lines that cannot be understood have no effect."""
    parser = _RobotsParser()
    add = {
        "agent": parser.add_agent,
        "allow": parser.add_allow,
        "disallow": parser.add_disallow,
        "sitemap": parser.add_sitemap,
        "delay": parser.add_delay,
        "rate": parser.add_rate,
    }
    for kind, value in _read_lines(body):
        add[kind](value)
    return Robots(parser.groups, tuple(parser.sitemaps))


@dataclass(slots=True)
class _RobotsParser:
    """The state of the parser; one method for each kind of line."""

    groups: dict[str, list[_Group]] = field(default_factory=dict)
    sitemaps: dict[str, None] = field(default_factory=dict)
    _rules: list[Rule] = field(default_factory=list)
    _group: _Group | None = None

    def add_agent(self, value: bytes) -> None:
        """Add an agent to the current group, or to a new one after a rule or a delay.

        A rule closes the group. A delay does not, since Google counts only rules: agents named before and after it
        share the rules that follow, but the delay applies only to those named before.
        """
        if self._rules:
            self._rules, self._group = [], None
        if self._group is None or self._group.delay_s is not None:
            self._group = _Group(self._rules)
        for name in parse_agent_line(value.decode("utf-8", "replace")):
            self.groups.setdefault(name, []).append(self._group)

    def add_allow(self, value: bytes) -> None:
        """Add a rule. Google reads the index page of a directory as the directory itself."""
        if self._group is not None:
            self._rules.append(Rule(True, value))
            if index_page := _INDEX_PAGE.fullmatch(value):
                self._rules.append(Rule(True, index_page[1] + b"$"))

    def add_disallow(self, value: bytes) -> None:
        """Add a rule; an empty one forbids nothing, but still closes the list of agents."""
        if self._group is not None:
            self._rules.append(Rule(False, value))

    def add_sitemap(self, value: bytes) -> None:
        """Add a sitemap."""
        if value:
            self.sitemaps[value.decode("utf-8", "replace")] = None

    def add_delay(self, value: bytes) -> None:
        """Parse `Crawl-delay: 2.5`."""
        if found := _DELAY.fullmatch(value):
            self._set_delay(float(found[1].replace(b",", b".")))

    def add_rate(self, value: bytes) -> None:
        """Parse `Request-rate: 1/10s`: pages, time, and perhaps hours of the day, which are ignored."""
        if found := _RATE.fullmatch(value):
            pages, time = float(found[1]), float(found[2]) * _UNIT_S[found[3].lower()]
            if pages:
                self._set_delay(time / pages)

    def _set_delay(self, delay_s: float) -> None:
        """Set the delay of the group, unless it has a longer one."""
        if self._group is not None and not math.isnan(delay_s):  # inf / inf is not a delay
            self._group.delay_s = max(self._group.delay_s or 0.0, min(delay_s, MAX_DELAY_S))


def _read_lines(body: bytes) -> Iterator[tuple[str, bytes]]:
    """Yield the kind and the value of every line with a known name."""
    for line in _clean_body(body).splitlines():
        line = line[:MAX_LINE_BYTES].partition(b"#")[0].strip()
        name, colon, value = line.partition(b":")
        if not colon:
            # Some files lack the colon: a blank replaces it if there are exactly two words.
            words = _BLANK.split(line)
            if len(words) != 2:
                continue
            name, value = words
        if found := _NAMES.match(name.strip()):
            yield str(found.lastgroup), value.strip()


def _clean_body(body: bytes) -> bytes:
    """Return the part of the file that is read, as UTF-8 without byte-order mark and NULs."""
    if len(body) > MAX_BYTES:
        whole_lines = max(body.rfind(b"\n", 0, MAX_BYTES + 1), body.rfind(b"\r", 0, MAX_BYTES + 1)) + 1
        body = body[:whole_lines]
    if wide := _UTF_16.get(body[:2]):
        body = body[2:].decode(wide, "replace").encode("utf-8", "replace")
    if mark := _BYTE_ORDER_MARK.match(body):
        body = body[mark.end() :]
    return body.replace(b"\0", b"")
