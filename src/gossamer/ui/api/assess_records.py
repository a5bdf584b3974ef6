"""Records of the assessment API: parameters and bodies of requests, and answers."""

from typing import Annotated

import msgspec
from msgspec import Meta

from gossamer.assess.judge.judge_view import JudgeView
from gossamer.assess.records import Verdict
from gossamer.assess.results.sample_results import SampleProgress
from gossamer.ui.api.search_records import ApiParameters


class SampleList(msgspec.Struct, frozen=True):
    """All samples of the web, by name."""

    samples: tuple[SampleProgress, ...]


class DrawRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How to draw a sample; an existing sample of this name is returned instead."""

    name: Annotated[str, Meta(description="Name of the sample, new or existing.")]
    sample: Annotated[
        Annotated[int, Meta(ge=1, le=10_000)] | None,
        Meta(description="Pages of each group; null for 100, or all if there are fewer."),
    ] = None
    seed: Annotated[int, Meta(description="Another seed draws other pages.")] = 1
    by: Annotated[
        str,
        Meta(description="Groups: depth, host, language, task, order, relevance, or several with commas."),
    ] = ""
    where: Annotated[str, Meta(description="Only pages that match, such as depth:..3.")] = ""
    topic: Annotated[str, Meta(description="The topic that rates relevance; by default the crawl's.")] = ""
    question: Annotated[str, Meta(description="What the judges are asked: Is this page about …?")] = ""
    active: Annotated[bool, Meta(description="Choose the pages about which the topic is least certain.")] = (
        False
    )


class JudgeParameters(ApiParameters, frozen=True, kw_only=True):
    """A sample and its judge."""

    name: Annotated[str, Meta(description="Name of the sample.")]
    judge: Annotated[str, Meta(description="Name of the judge.")]


class NextPage(msgspec.Struct, frozen=True):
    """The next page to judge, without any hint of how it was found."""

    pages: int
    left: int
    question: str
    """What the judges are asked."""
    page: JudgeView | None
    """null when all pages are judged. A page with noarchive comes without text and source."""


class JudgementRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A judgement of a page; it replaces the judge's previous one."""

    name: Annotated[str, Meta(description="Name of the sample.")]
    judge: Annotated[str, Meta(description="Name of the judge.")]
    url: Annotated[str, Meta(description="The address of the page.")]
    verdict: Annotated[Verdict, Meta(description="relevant, not or unsure.")]


class JudgeProgress(msgspec.Struct, frozen=True):
    """How many pages a judge has left."""

    pages: int
    left: int


class ResultsParameters(ApiParameters, frozen=True, kw_only=True):
    """Which results, and how to group them."""

    name: Annotated[str, Meta(description="Name of the sample.")]
    by: Annotated[
        str, Meta(description="Groups, such as depth,order; by default the strata of the sample.")
    ] = ""
    judge: Annotated[str, Meta(description="Only judgements of this judge.")] = ""


class ForgetRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A sample to delete, with all its judgements."""

    name: Annotated[str, Meta(description="Name of the sample.")]


class ForgetResult(msgspec.Struct, frozen=True):
    """A deleted sample, and how many judgements were deleted with it."""

    name: str
    judgements: int
