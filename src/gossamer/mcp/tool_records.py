"""The arguments of the tools; their schemas are made from these records."""

from typing import Annotated

import msgspec
from msgspec import Meta

from gossamer.context.passages.page_text import MOST_CHARACTERS
from gossamer.context.passages.passage_records import (
    FEWEST_WORDS,
    LONGEST_QUESTION,
    MOST_PASSAGES,
    MOST_WORDS,
)

_Text = Annotated[str, Meta(min_length=1, max_length=LONGEST_QUESTION)]


class ToolArguments(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The arguments of a tool."""


class AskArguments(ToolArguments, frozen=True, kw_only=True):
    """A question."""

    question: Annotated[_Text, Meta(description="The question, in words that its answer is likely to use.")]
    passages: Annotated[int, Meta(ge=1, le=MOST_PASSAGES, description="How many passages.")] = 5
    words: Annotated[
        int, Meta(ge=FEWEST_WORDS, le=MOST_WORDS, description="The most words of a passage.")
    ] = 120
    site: Annotated[str, Meta(max_length=300, description="Only pages of this host or domain.")] = ""
    language: Annotated[str, Meta(max_length=20, description="Only pages in this language, such as de.")] = ""


class SearchArguments(ToolArguments, frozen=True, kw_only=True):
    """A query."""

    query: Annotated[
        _Text,
        Meta(
            description='Words, "phrases", -not, AND, OR, site:, language:, type:, title:, after:2026-05, before:2026.'
        ),
    ]
    page: Annotated[int, Meta(ge=1, le=50, description="Page of answers, from 1.")] = 1
    size: Annotated[int, Meta(ge=1, le=50, description="Answers on a page.")] = 10


class ReadPageArguments(ToolArguments, frozen=True, kw_only=True):
    """A page, and the part of its text to read."""

    url: Annotated[_Text, Meta(description="The address of a page of the collection.")]
    offset: Annotated[int, Meta(ge=0, le=10_000_000, description="Where to begin, in characters.")] = 0
    characters: Annotated[int, Meta(ge=1, le=MOST_CHARACTERS, description="How many characters.")] = 8_000


class NoArguments(ToolArguments, frozen=True, kw_only=True):
    """Nothing."""
