"""Finding the sample of an assessment, or drawing it if there is none of its name."""

from pathlib import Path

from gossamer.assess.judgements import find_sample, save_sample
from gossamer.assess.records import Sample
from gossamer.assess.sample.draw_sample import SampleRequest, draw_sample
from gossamer.assess.sample.page_facts import read_crawled_pages
from gossamer.assess.sample.page_query import parse_condition
from gossamer.assess.sample.page_relevance import make_relevance
from gossamer.errors import BadInput
from gossamer.store.batch import Store

_OPTIONS = {
    "asked": "--sample",
    "seed": "--seed",
    "by": "--by",
    "where": "--where",
    "topic": "--topic",
    "question": "--question",
}


def find_or_draw_sample(store: Store, folder: Path, request: SampleRequest, now_s: float) -> Sample:
    """Return the sample of this name; draw and save it if there is none. Cost of drawing: one pass over all pages."""
    known = find_sample(store, request.name)
    if known is not None:
        _check_same(known, request)
        return known
    fits = parse_condition(request.where)
    pages = read_crawled_pages(store, make_relevance(store, folder, request.topic))
    sample = draw_sample((crawled for crawled in pages if fits(crawled)), request, now_s)
    save_sample(store, sample)
    return sample


def _check_same(known: Sample, request: SampleRequest) -> None:
    """Raise BadInput if the sample was drawn with other options; options left at their default are not compared."""
    defaults = SampleRequest(name=request.name)
    for field, option in _OPTIONS.items():
        wanted, before = getattr(request, field), getattr(known, field)
        # With --active, the topic is the one that rates pages now, not the one that the sample was drawn by.
        is_free = wanted == getattr(defaults, field) or (field == "topic" and request.chosen == "uncertain")
        if not is_free and wanted != before:
            shown = ",".join(before) if isinstance(before, tuple) else before
            raise BadInput(
                f"the sample {known.name!r} was drawn with {option} {shown or 'unset'}; "
                "leave that option out to continue with it, or give another --name to draw a new one"
            )
