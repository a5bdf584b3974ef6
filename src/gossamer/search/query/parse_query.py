"""Parse the query language into a tree.

    query    = all ("OR" all)*
    all      = item ("AND"? item)*            without AND each item adds to the score; items joined by AND must match
    item     = ("-" | "NOT" | "+")? (word | "phrase" | field:value | "(" query ")")
    word     = any characters, with * at the end for a prefix, with ~ for words of similar spelling

Every text has a tree: what cannot be parsed is left out, and a note says so.
"""

import difflib
import re
from functools import cache
from typing import Literal

import msgspec

MOST_CHARACTERS = 20_000
MOST_WORDS = 400
"""Further words are left out: the longest queries of test collections have some 300."""
_DEEPEST = 20
SHORTEST = {"prefix": 2, "fuzzy": 3}
"""Characters that a word needs: shorter ones would match nearly every page."""

FIELDS = (
    *("title", "site", "host", "url", "language", "type", "after", "before", "depth", "mark", "link", "related"),
    "exact",
)  # fmt: skip

Match = Literal["word", "prefix", "fuzzy", "phrase"]


class Words(msgspec.Struct, frozen=True):
    """A word or a phrase to match."""

    text: str
    match: Match = "word"


class Field(msgspec.Struct, frozen=True):
    """A condition on a field, such as `site:example.org`."""

    name: str
    value: str


class BooleanGroup(msgspec.Struct, frozen=True):
    """Nodes that must match, that add to the score if they match, and that must not match."""

    must: "tuple[Node, ...]" = ()
    should: "tuple[Node, ...]" = ()
    must_not: "tuple[Node, ...]" = ()


class Either(msgspec.Struct, frozen=True):
    """Alternatives, one of which must match."""

    options: "tuple[Node, ...]"


Node = Words | Field | BooleanGroup | Either


class Query(msgspec.Struct, frozen=True):
    """A parsed query."""

    root: BooleanGroup
    notes: tuple[str, ...] = ()
    """Sentences that say what was left out."""


@cache
def _compile_tokens(fields: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile(
        rf"""(?P<open>\()|(?P<close>\))|(?P<sign>[-+](?=[^\s)(+-]|\())
        |(?P<field>(?:{"|".join(fields)}):)(?:"(?P<quoted>[^"]*)"?|(?P<value>(?:[^\s()"]|\([^\s()"]*\))+))
        |"(?P<phrase>[^"]*)"?|(?P<word>[^\s()"]+)""",
        re.VERBOSE | re.IGNORECASE,
    )


# `std::vector`, `http://…` and `c:\\x` are words; `12:30` is a time, and `note: this` a sentence.
_FIELD_LIKE = re.compile(r"([a-z]{2,20}):(?![:/\\])(.*)", re.IGNORECASE | re.DOTALL)
_MOST_UNKNOWN = 3
_OPERATORS = {"AND", "OR", "NOT"}
_SIGNS = {"-": "NOT", "+": "AND"}


def parse(text: str, fields: tuple[str, ...] = FIELDS) -> Query:
    """Parse any text into the tree of a query with these fields. Cost: O(length)."""
    # A lone surrogate is not a character, and the engine refuses it.
    parser = _Parser(text.encode("utf-8", "replace").decode(), fields)
    parts: list[Node] = []
    while parser.has_more():
        parts.append(parser.parse_either(0))
        parser.skip_close()
    found = parts[0] if len(parts) == 1 else BooleanGroup(should=tuple(parts))
    root = found if isinstance(found, BooleanGroup) else BooleanGroup(must=(found,))
    return Query(root, tuple(dict.fromkeys(parser.notes)))


class _Parser:
    """Reads the tokens of a query from left to right."""

    def __init__(self, text: str, fields: tuple[str, ...]) -> None:
        self.notes: list[str] = []
        self._fields = fields
        self._unknown_fields: set[str] = set()
        if len(text) > MOST_CHARACTERS:
            self.notes.append(f"Only the first {MOST_CHARACTERS:,} characters of the query were read.")
        self._tokens = list(_compile_tokens(fields).finditer(text[:MOST_CHARACTERS]))
        self._kinds = [*(token.lastgroup for token in self._tokens), None]
        """The kind of each token; None behind the last."""
        self._at = 0
        self._word_count = 0
        self._has_sign = False
        self._ignored_open = 0
        """Parentheses that were ignored because they are nested too deeply, and are not closed yet."""

    def has_more(self) -> bool:
        return self._at < len(self._tokens)

    def skip_close(self) -> None:
        """Skip a closing parenthesis."""
        if self._peek_kind() == "close":
            self._at += 1

    def parse_either(self, depth: int) -> Node:
        """Parse the alternatives between OR."""
        options: list[Node] = []
        while True:
            group = self._parse_group(depth)
            if group != BooleanGroup():
                options.append(_unwrap(group))
            if not self._accept("OR"):
                break
        return Either(tuple(options)) if len(options) > 1 else options[0] if options else BooleanGroup()

    def _parse_group(self, depth: int) -> BooleanGroup:
        """Parse items up to OR or a closing parenthesis."""
        lists: dict[str, list[Node]] = {"AND": [], "": [], "NOT": []}
        last = ""
        while self._has_item():
            operator = self._parse_operators()
            if not self._has_item():
                break
            node = self._parse_item(depth)
            if node is None or node == BooleanGroup():
                continue
            if operator == "AND" and last == "" and lists[""] and not self._has_sign:
                lists["AND"].append(lists[""].pop())
            last = "AND" if operator == "" and isinstance(node, Field) else operator
            lists[last].append(node)
        return BooleanGroup(tuple(lists["AND"]), tuple(lists[""]), tuple(lists["NOT"]))

    def _has_item(self) -> bool:
        """Return whether the group goes on; skip parentheses that close ignored ones."""
        while self._ignored_open and self._peek_kind() == "close":
            self._ignored_open -= 1
            self._at += 1
        return self._kinds[self._at] not in (None, "close") and self._peek_operator() != "OR"

    def _parse_operators(self) -> str:
        """Read the operators before an item: AND, NOT or a sign; the last of several counts."""
        found, self._has_sign = "", False
        while self.has_more():
            is_sign = self._kinds[self._at] == "sign"
            operator = _SIGNS[self._tokens[self._at][0]] if is_sign else self._peek_operator()
            if operator not in ("AND", "NOT"):
                break
            found, self._has_sign = operator, is_sign
            self._at += 1
        return found

    def _parse_item(self, depth: int) -> Node | None:
        token = self._tokens[self._at]
        self._at += 1
        match token.lastgroup:
            case "open":
                return self._parse_parenthesis(depth)
            case "quoted" | "value" | "field":
                value = (token["quoted"] or token["value"] or "").strip()
                return Field(token["field"][:-1].lower(), value) if value else None
        if self._word_count >= MOST_WORDS:
            self.notes.append(f"Only the first {MOST_WORDS} words of the query were searched.")
            return None
        self._word_count += 1
        phrase = token["phrase"]
        if phrase is not None:
            return Words(phrase, "phrase") if phrase.strip() else None
        self._note_unknown_field(token)
        return _parse_word(token["word"])

    def _note_unknown_field(self, token: re.Match[str]) -> None:
        """Add a note if a word looks like a field that does not exist; its words are searched all the same."""
        found = _FIELD_LIKE.fullmatch(token["word"]) if ":" in token["word"] else None
        if found is None or not (found[2] or token.string[token.end() : token.end() + 1] == '"'):
            return
        name = found[1].lower()
        if name not in {*self._fields, *self._unknown_fields} and len(self._unknown_fields) < _MOST_UNKNOWN:
            self._unknown_fields.add(name)
            self.notes.append(_describe_unknown_field(name, self._fields))

    def _parse_parenthesis(self, depth: int) -> Node | None:
        """Parse up to the closing parenthesis; ignore parentheses that are nested too deeply, not what is in them."""
        if depth >= _DEEPEST:
            self.notes.append(f"Parentheses more than {_DEEPEST} deep were ignored.")
            self._ignored_open += 1
            return None
        inner = self.parse_either(depth + 1)
        self.skip_close()
        return inner

    def _peek_kind(self) -> str | None:
        return self._kinds[self._at]

    def _peek_operator(self) -> str:
        """Return AND, OR or NOT if it comes next; operators are written in capitals."""
        word = self._tokens[self._at][0] if self._kinds[self._at] == "word" else ""
        return word if word in _OPERATORS else ""

    def _accept(self, operator: str) -> bool:
        """Consume an operator if it comes next."""
        if self._peek_operator() != operator:
            return False
        self._at += 1
        return True


def _describe_unknown_field(name: str, fields: tuple[str, ...]) -> str:
    begin = [field for field in fields if field.startswith(name) and len(name) > 2]  # lang: for language:
    near = begin or difflib.get_close_matches(name, fields, n=1)
    hint = f"did you mean `{near[0]}:`? Fields" if near else "fields"
    return f"There is no field `{name}:`; {hint} are {', '.join(f'{field}:' for field in fields)}."


def _unwrap(group: BooleanGroup) -> Node:
    """Return the only node of a group that must or should match, else the group."""
    if not group.must_not and len(group.must) + len(group.should) == 1:
        return (group.must + group.should)[0]
    return group


def _parse_word(text: str) -> Words:
    if text.endswith("*") and len(text.rstrip("*")) >= SHORTEST["prefix"]:
        return Words(text.rstrip("*"), "prefix")
    fuzzy = re.fullmatch(r"(.+?)~[0-9]?", text, re.DOTALL) if "~" in text else None
    if fuzzy and len(fuzzy[1]) >= SHORTEST["fuzzy"]:
        return Words(fuzzy[1], "fuzzy")
    return Words(text)
