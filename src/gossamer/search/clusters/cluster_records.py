"""Records of result clusters: the texts that are grouped, and the groups."""

from collections.abc import Mapping

import msgspec


class AnswerText(msgspec.Struct, frozen=True, gc=False):
    """What an answer shows of a page."""

    title: str
    snippet: str = ""
    url: str = ""
    language: str = ""


class TermSample(msgspec.Struct, frozen=True):
    """A sample of the collection that was searched: by it, words that are everywhere are told from words of the answers."""

    pages: int
    counts: Mapping[str, int]
    """By term: how many of the pages have it."""


class AnswerGroup(msgspec.Struct, frozen=True):
    """Answers that share words."""

    label: str
    """A phrase of their texts, as it is written there."""
    answers: tuple[int, ...]
    """Their positions among the answers, the best first."""


class AnswerGroups(msgspec.Struct, frozen=True):
    """The groups of some answers. An answer may be in two groups."""

    groups: tuple[AnswerGroup, ...]
    """The largest first."""
    rest: tuple[int, ...]
    """The positions of the answers that are in no group."""
    home: tuple[int, ...]
    """By answer: the number of its first group; -1 for the rest."""


class ShownAnswer(msgspec.Struct, frozen=True, gc=False):
    """What a list of groups shows of an answer."""

    rank: int
    """Its place among the answers, from 1."""
    url: str
    title: str


class LabelledGroup(msgspec.Struct, frozen=True):
    """A group of the answers to a query."""

    label: str
    count: int
    """How many of the grouped answers are in it."""
    best: tuple[ShownAnswer, ...]
    """Its first answers."""
    ranks: tuple[int, ...]
    """The places of all its answers."""
    pages: int = 0
    """How many of all pages found have the words of its label beside each other; 0 if that was not counted."""


class GroupedAnswers(msgspec.Struct, frozen=True):
    """The answers to a query in groups. An answer may be in two groups."""

    query: str
    total: int
    """Pages found, near copies included."""
    grouped: int
    """How many answers were grouped: the best thousand, near copies left out."""
    groups: tuple[LabelledGroup, ...]
    """The largest first."""
    rest: tuple[int, ...]
    """The places of the answers that are in no group."""
    notes: tuple[str, ...] = ()
    """Sentences that say which parts of the query were left out, and which of several webs gave no answers."""
    took_s: float = 0.0
