"""The records of an assessment: a sample of pages, and the judgements of its judges."""

from typing import Literal

import msgspec

Verdict = Literal["relevant", "not", "unsure"]
Selection = Literal["random", "uncertain"]


class Item(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """One page of a sample, with what was known when the sample was drawn. None of it is shown to judges."""

    page: int
    """Page id."""
    depth: int = 0
    host: str = ""
    language: str = ""
    task: str = ""
    order: str = ""
    relevance: float | None = None


class Stratum(msgspec.Struct, frozen=True, gc=False):
    """A group of pages with the same values of what a sample is drawn by."""

    values: tuple[str, ...]
    """One value for each of the sample's `by`."""
    pages: int
    """How many pages the web had when the sample was drawn; those of the sample stand for all of them."""


class Sample(msgspec.Struct, frozen=True, gc=False):
    """The pages to be judged, in the order in which they are shown."""

    name: str
    asked: int
    """The number of pages that was asked for, from each stratum."""
    seed: int
    by: tuple[str, ...] = ()
    where: str = ""
    topic: str = ""
    """The topic that rated relevance; "" if it comes from the marks of the crawl."""
    chosen: Selection = "random"
    question: str = ""
    """What the judges are asked; "" for the question that `judgements.get_question` makes."""
    created_s: float = 0.0
    strata: tuple[Stratum, ...] = ()
    items: tuple[Item, ...] = ()


class Judgement(msgspec.Struct, frozen=True, gc=False):
    """The verdict of one judge on one page."""

    judge: str
    page: int
    verdict: Verdict
    number: int
    """Counts the judge's judgements in this sample, from 1: the highest is undone first."""
    when_s: float
