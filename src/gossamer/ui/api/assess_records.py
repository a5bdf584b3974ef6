"""What the API of assessments is asked and what it tells, beside samples and results themselves."""

from typing import Annotated

import msgspec
from msgspec import Meta

from gossamer.assess.judge.judge_view import JudgeView
from gossamer.assess.records import Verdict
from gossamer.assess.results.sample_results import SampleProgress
from gossamer.ui.api.search_records import Asked


class Samples(msgspec.Struct, frozen=True):
    """All samples of the web, by name."""

    samples: tuple[SampleProgress, ...]


class Draw(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How a sample is to be drawn; one that is there under this name is gone on with."""

    name: str
    sample: Annotated[int, Meta(ge=1, le=10_000)] | None = None
    """Pages of each stratum; null for 100, or all there are."""
    seed: int = 1
    by: str = ""
    """Strata: depth, host, language, task, order, relevance, or several of them."""
    where: str = ""
    topic: str = ""
    active: bool = False
    """Pages of which the topic is least sure."""


class JudgeAsked(Asked, frozen=True, kw_only=True):
    """Who judges what."""

    name: Annotated[str, Meta(description="Of the sample.")]
    judge: Annotated[str, Meta(description="Who judges.")]


class Next(msgspec.Struct, frozen=True):
    """The page that a judge is to judge next, as blind as people see it."""

    pages: int
    left: int
    page: JudgeView | None
    """null when all are judged. A page that says noarchive comes without text and source."""


class Judged(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a judge says of a page; what was said of it before is replaced."""

    name: str
    judge: str
    url: str
    verdict: Verdict


class Left(msgspec.Struct, frozen=True):
    """What a judge has still to do."""

    pages: int
    left: int


class ResultsAsked(Asked, frozen=True, kw_only=True):
    """Whose results, and how they are grouped."""

    name: Annotated[str, Meta(description="Of the sample.")]
    by: Annotated[str, Meta(description="Groups, such as depth,order; else those it was drawn by.")] = ""
    judge: Annotated[str, Meta(description="Only what this judge said.")] = ""


class Forget(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A sample that is to be forgotten, with all that was said of it."""

    name: str


class Forgotten(msgspec.Struct, frozen=True):
    """What is lost."""

    name: str
    judgements: int
