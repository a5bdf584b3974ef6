"""What an assessment consists of: a sample of pages, and what judges said of them."""

from typing import Literal

import msgspec

Verdict = Literal["relevant", "not", "unsure"]
Chosen = Literal["random", "uncertain"]


class Item(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """One page of a sample, with what was known of it when the sample was drawn. None of this is shown to judges."""

    page: int
    """Page id."""
    depth: int = 0
    host: str = ""
    language: str = ""
    task: str = ""
    order: str = ""
    relevance: float | None = None


class Stratum(msgspec.Struct, frozen=True, gc=False):
    """Pages that are alike in what a sample is drawn by."""

    values: tuple[str, ...]
    """One for each of the sample's `by`."""
    pages: int
    """How many the web had when the sample was drawn; those of the sample stand for all of them."""


class Sample(msgspec.Struct, frozen=True, gc=False):
    """Pages to be judged, in the order in which they are shown."""

    name: str
    asked: int
    """Pages of each stratum that were asked for."""
    seed: int
    by: tuple[str, ...] = ()
    where: str = ""
    topic: str = ""
    """The model that told relevance; "" if the marks of the crawl did."""
    chosen: Chosen = "random"
    created_s: float = 0.0
    strata: tuple[Stratum, ...] = ()
    items: tuple[Item, ...] = ()


class Judgement(msgspec.Struct, frozen=True, gc=False):
    """What one judge said of one page."""

    judge: str
    page: int
    verdict: Verdict
    number: int
    """Of the judge's judgements in this sample, from 1: the highest is undone first."""
    when_s: float
