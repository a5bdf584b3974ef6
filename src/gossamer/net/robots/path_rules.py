"""Matches paths against robots rules: percent-encoding, wildcards and the longest match."""

import re
from bisect import bisect_right
from collections.abc import Iterable
from typing import NamedTuple

# Characters that need no encoding in a path or a query: RFC 3986 without "%" and "#", with "[" and "]" as in browsers.
_PLAIN = re.compile(r"[A-Za-z0-9\-._~:/?@!$&'()*+,;=\[\]]*")
_ODD = re.compile(rb"%[0-9A-Fa-f]{2}|[^A-Za-z0-9\-._~:/?@!$&'()*+,;=\[\]]")
_PATH = re.compile(r"(?:[^/?;#]*://|//)?[^/?;#]*([^#]*)")


def _make_spellings(stays_encoded: bytes) -> dict[bytes, bytes]:
    """Return the normal spelling of everything that `_ODD` matches."""
    encoded = {octet: b"%%%02X" % octet for octet in range(256)}
    table = {bytes((octet,)): encoded[octet] for octet in range(256)}
    for octet in range(256):
        raw = bytes((octet,))
        plain = octet < 128 and _PLAIN.fullmatch(raw.decode("ascii")) and raw not in stays_encoded
        for first in {"%X" % (octet >> 4), "%x" % (octet >> 4)}:
            for second in {"%X" % (octet & 15), "%x" % (octet & 15)}:
                table[f"%{first}{second}".encode()] = raw if plain else encoded[octet]
    return table


# RFC 9309, section 2.2.2: delimiters have another meaning when they are encoded. Inside a query,
# "/" and "?" are not delimiters: in the RFC's table "?baz=http://foo.bar" matches "?baz=http%3A%2F%2Ffoo.bar".
_IN_PATH = _make_spellings(b"/?#%&=+;")
_IN_QUERY = _make_spellings(b"#%&=+;")


class Rule(NamedTuple):
    """One `Allow` or `Disallow` line; the pattern as written, without white space around it."""

    allow: bool
    pattern: bytes


class _Wildcard(NamedTuple):
    """A pattern with `*` inside: its start, the pieces that must follow in this order, and its end."""

    strength: int
    longest: str
    """The longest of its pieces: if a path does not contain it, nothing else has to be tried."""
    head: str
    pieces: tuple[str, ...]
    tail: str


# A rule's strength is twice the octets of its pattern, and one more for `Allow`: the greatest decides.
_NO_RULE = 1


def normalize_path(url: str) -> str:
    """Return the path and query of a URL, or of a path, in normal form; "/" if there is none."""
    found = _PATH.match(url)
    path = found[1] if found else ""
    if path[:1] != "/":
        path = "/" + path
    return path if _PLAIN.fullmatch(path) else _normalize(path.encode("utf-8", "surrogatepass"), False)


def _normalize(raw: bytes, in_query: bool) -> str:
    """Spell octets in the normal form that RFC 9309, section 2.2.2, compares."""
    if in_query:
        path, query = b"", raw
    else:
        path, mark, query = raw.partition(b"?")
        path = _ODD.sub(lambda found: _IN_PATH[found[0]], path) + mark
    return (path + _ODD.sub(lambda found: _IN_QUERY[found[0]], query)).decode("ascii")


def _split_pattern(pattern: bytes) -> list[str]:
    """Split a pattern at its wildcards into literal pieces in normal form."""
    pieces = []
    in_query = False
    for raw in pattern.split(b"*"):
        pieces.append(_normalize(raw, in_query))
        in_query = in_query or b"?" in raw
    return pieces


class Rulebook:
    """The rules for one agent, arranged for fast look-ups.

    The longest matching pattern decides, in octets of its normal form with `*` and `$`; among equals `Allow` wins;
    without a match everything is allowed. Patterns without wildcards are found by bisection: of all patterns that are
    prefixes of a path, the longest is the nearest smaller one in sorted order or a prefix of that one. Wildcard
    patterns are tried from the strongest down, piece after piece, each at its first match, which is enough because `*`
    matches anything.

    Cost: O(log rules) for literal patterns, O(length of the path) for each stronger wildcard pattern; no
    backtracking. Source: RFC 9309, section 2.2.2; leniency as in google/robotstxt.
    """

    __slots__ = ("_exact", "_literals", "_parents", "_strengths", "_wildcards")

    def __init__(self, rules: Iterable[Rule]) -> None:
        prefixes: dict[str, int] = {}
        self._exact: dict[str, int] = {}
        wildcards: set[_Wildcard] = set()
        for rule in rules:
            ends = rule.pattern.endswith(b"$")
            head, *pieces = _split_pattern(rule.pattern.removesuffix(b"$"))
            strength = 2 * (len(head) + sum(map(len, pieces)) + len(pieces) + ends) + rule.allow
            if pieces and not pieces[-1]:
                ends = False  # "*$" has no effect
            tail = pieces.pop() if pieces and ends else ""
            inner = tuple(filter(None, pieces))
            if inner or tail:
                longest = max((*inner, tail), key=len)
                wildcards.add(_Wildcard(strength, longest, head, inner, tail))
            else:
                table = self._exact if ends else prefixes
                table[head] = max(table.get(head, _NO_RULE), strength)
        self._wildcards = sorted(wildcards, reverse=True)
        self._arrange(prefixes)

    def _arrange(self, prefixes: dict[str, int]) -> None:
        """Sort the literals; link each to its longest prefix, and let it inherit the greater strength."""
        self._literals = sorted(prefixes)
        self._parents: list[int] = []
        self._strengths: list[int] = []
        for index, literal in enumerate(self._literals):
            parent = index - 1
            while parent >= 0 and not literal.startswith(self._literals[parent]):
                parent = self._parents[parent]
            inherited = self._strengths[parent] if parent >= 0 else _NO_RULE
            self._parents.append(parent)
            self._strengths.append(max(prefixes[literal], inherited))

    def allows(self, path: str) -> bool:
        """Return whether a path in normal form may be fetched."""
        at = bisect_right(self._literals, path) - 1
        while at >= 0 and not path.startswith(self._literals[at]):
            at = self._parents[at]
        best = self._strengths[at] if at >= 0 else _NO_RULE
        if path in self._exact:
            best = max(best, self._exact[path])
        for wildcard in self._wildcards:
            if wildcard[0] <= best:  # by number, not by name: this loop is most of the cost
                break
            if wildcard[1] in path and _matches(path, wildcard):
                best = wildcard[0]
                break
        return best % 2 == 1


def _matches(path: str, wildcard: _Wildcard) -> bool:
    """Return whether a path has the start, the pieces in this order, and the end of a pattern."""
    if not (path.startswith(wildcard.head) and path.endswith(wildcard.tail)):
        return False
    at, end = len(wildcard.head), len(path) - len(wildcard.tail)
    for piece in wildcard.pieces:
        at = path.find(piece, at, end)
        if at < 0:
            return False
        at += len(piece)
    return at <= end
