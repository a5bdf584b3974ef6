"""The query language: from what a person types to a tree.

    query    = all ("OR" all)*
    all      = item ("AND"? item)*            items side by side: each counts, and joined by AND both must be there
    item     = ("-" | "NOT" | "+")? (word | "phrase" | field:value | "(" query ")")
    word     = any characters, with * at the end for a prefix, with ~ for words that are spelt nearly so

Whatever is typed has a tree: what makes no sense is left out, and a note says so.
"""

import re
from functools import cache
from typing import Literal

import msgspec

MOST_CHARACTERS = 20_000
MOST_WORDS = 400
"""Further ones are left out: the longest questions of test collections have some 300 words."""
_DEEPEST = 20
SHORTEST = {"prefix": 2, "fuzzy": 3}
"""Characters that a word needs: shorter ones would find nearly everything."""

FIELDS = (
    *("title", "site", "host", "url", "language", "type", "after", "before", "depth", "mark", "link", "related"),
)  # fmt: skip

Match = Literal["word", "prefix", "fuzzy", "phrase"]


class Words(msgspec.Struct, frozen=True):
    """A word or a phrase that may stand on a page."""

    text: str
    match: Match = "word"


class Field(msgspec.Struct, frozen=True):
    """What a page must be."""

    name: str
    value: str


class Group(msgspec.Struct, frozen=True):
    """Several things: those that must hold, those that count if they do, those that must not."""

    must: "tuple[Node, ...]" = ()
    should: "tuple[Node, ...]" = ()
    must_not: "tuple[Node, ...]" = ()


class Either(msgspec.Struct, frozen=True):
    """Several things one of which must hold."""

    options: "tuple[Node, ...]"


Node = Words | Field | Group | Either


class Query(msgspec.Struct, frozen=True):
    """What was asked for."""

    root: Group
    notes: tuple[str, ...] = ()
    """What was left out, in sentences."""


@cache
def _token(fields: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile(
        rf"""(?P<open>\()|(?P<close>\))|(?P<sign>[-+](?=[^\s)(+-]|\())
        |(?P<field>(?:{"|".join(fields)}):)(?:"(?P<quoted>[^"]*)"?|(?P<value>(?:[^\s()"]|\([^\s()"]*\))+))
        |"(?P<phrase>[^"]*)"?|(?P<word>[^\s()"]+)""",
        re.VERBOSE | re.IGNORECASE,
    )


_LINKS = {"AND", "OR", "NOT"}
_SIGNS = {"-": "NOT", "+": "AND"}


def parse(text: str, fields: tuple[str, ...] = FIELDS) -> Query:
    """Return the tree of a query that may ask for these fields; total, whatever the text is. Cost: O(length)."""
    # Half a surrogate pair is no character, and the engine takes none.
    reader = _Reader(text.encode("utf-8", "replace").decode(), _token(fields))
    parts: list[Node] = []
    while reader.left():
        parts.append(reader.either(0))
        reader.skip_close()
    found = parts[0] if len(parts) == 1 else Group(should=tuple(parts))
    root = found if isinstance(found, Group) else Group(must=(found,))
    return Query(root, tuple(dict.fromkeys(reader.notes)))


class _Reader:
    """Reads the tokens of a query from left to right."""

    def __init__(self, text: str, token: re.Pattern[str]) -> None:
        self.notes: list[str] = []
        if len(text) > MOST_CHARACTERS:
            self.notes.append(f"Only the first {MOST_CHARACTERS:,} characters of the query were read.")
        self._tokens = list(token.finditer(text[:MOST_CHARACTERS]))
        self._at = 0
        self._words = 0
        self._signed = False

    def left(self) -> bool:
        return self._at < len(self._tokens)

    def skip_close(self) -> None:
        """Pass over a closing parenthesis that nothing opened."""
        if self._kind() == "close":
            self._at += 1

    def either(self, depth: int) -> Node:
        """Read parts between OR."""
        options: list[Node] = []
        while True:
            group = self._group(depth)
            if group != Group():
                options.append(_plain(group))
            if not self._takes("OR"):
                break
        return Either(tuple(options)) if len(options) > 1 else options[0] if options else Group()

    def _group(self, depth: int) -> Group:
        """Read items side by side, up to OR or a closing parenthesis."""
        lists: dict[str, list[Node]] = {"AND": [], "": [], "NOT": []}
        last = ""
        while self.left() and self._kind() != "close" and self._link() != "OR":
            link = self._links()
            if not self.left() or self._kind() == "close" or self._link() == "OR":
                break
            node = self._item(depth)
            if node is None or node == Group():
                continue
            if link == "AND" and last == "" and lists[""] and not self._signed:
                lists["AND"].append(lists[""].pop())
            last = "AND" if link == "" and isinstance(node, Field) else link
            lists[last].append(node)
        return Group(tuple(lists["AND"]), tuple(lists[""]), tuple(lists["NOT"]))

    def _links(self) -> str:
        """Read what stands before an item: AND, NOT, a sign; the last of several holds."""
        found, self._signed = "", False
        while self.left():
            sign = self._tokens[self._at]["sign"]
            link = _SIGNS[sign] if sign else self._link()
            if link not in ("AND", "NOT"):
                break
            found, self._signed = link, bool(sign)
            self._at += 1
        return found

    def _item(self, depth: int) -> Node | None:
        token = self._tokens[self._at]
        self._at += 1
        match token.lastgroup:
            case "open":
                return self._parenthesis(depth)
            case "quoted" | "value" | "field":
                value = (token["quoted"] or token["value"] or "").strip()
                return Field(token["field"][:-1].lower(), value) if value else None
        if self._words >= MOST_WORDS:
            self.notes.append(f"Only the first {MOST_WORDS} words of the query were looked for.")
            return None
        self._words += 1
        phrase = token["phrase"]
        if phrase is not None:
            return Words(phrase, "phrase") if phrase.strip() else None
        return _word(token["word"])

    def _parenthesis(self, depth: int) -> Node:
        """Read up to the closing parenthesis; where they nest too deep, parentheses mean nothing."""
        if depth >= _DEEPEST:
            self.notes.append(f"Parentheses more than {_DEEPEST} deep were passed over.")
            while self._kind() == "open":
                self._at += 1
            return self._group(depth)
        inner = self.either(depth + 1)
        self.skip_close()
        return inner

    def _kind(self) -> str | None:
        return self._tokens[self._at].lastgroup if self.left() else None

    def _link(self) -> str:
        """Return AND, OR or NOT if that comes next: only capitals are meant so."""
        word = self._tokens[self._at]["word"] if self.left() else ""
        return word if word in _LINKS else ""

    def _takes(self, link: str) -> bool:
        if self._link() != link:
            return False
        self._at += 1
        return True


def _plain(group: Group) -> Node:
    """Return the only thing of a group that asks for one, else the group."""
    if not group.must_not and len(group.must) + len(group.should) == 1:
        return (group.must + group.should)[0]
    return group


def _word(text: str) -> Words:
    if text.endswith("*") and len(text.rstrip("*")) >= SHORTEST["prefix"]:
        return Words(text.rstrip("*"), "prefix")
    nearly = re.fullmatch(r"(.+?)~[0-9]?", text, re.DOTALL)
    if nearly and len(nearly[1]) >= SHORTEST["fuzzy"]:
        return Words(nearly[1], "fuzzy")
    return Words(text)
