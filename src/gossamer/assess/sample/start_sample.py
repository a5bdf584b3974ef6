"""Beginning an assessment: the sample that was asked for, drawn now or already there."""

from pathlib import Path

from gossamer.assess.judgements import find_sample, keep_sample
from gossamer.assess.records import Sample
from gossamer.assess.sample.draw_sample import Wish, draw
from gossamer.assess.sample.page_facts import read_pages
from gossamer.assess.sample.page_query import where
from gossamer.assess.sample.page_relevance import relevance_by
from gossamer.errors import BadInput
from gossamer.store.batch import Store

_OPTIONS = {"asked": "--sample", "seed": "--seed", "by": "--by", "where": "--where", "topic": "--topic"}


def found_or_drawn(store: Store, folder: Path, wish: Wish, now_s: float) -> Sample:
    """Return the sample of this name; draw it if there is none. Cost of drawing: a walk over all pages."""
    known = find_sample(store, wish.name)
    if known is not None:
        _check_same(known, wish)
        return known
    fits = where(wish.where)
    pages = read_pages(store, relevance_by(store, folder, wish.topic))
    drawn = draw((facts for facts in pages if fits(facts)), wish, now_s)
    keep_sample(store, drawn)
    return drawn


def _check_same(known: Sample, wish: Wish) -> None:
    """Refuse to go on with a sample that was drawn otherwise than is asked for now; what was not asked for is free."""
    unasked = Wish(name=wish.name)
    for field, option in _OPTIONS.items():
        wanted, before = getattr(wish, field), getattr(known, field)
        # Whoever wants uncertain pages first names the topic that is to be asked now, whatever the sample was drawn by.
        is_free = wanted == getattr(unasked, field) or (field == "topic" and wish.chosen == "uncertain")
        if not is_free and wanted != before:
            said = ",".join(before) if isinstance(before, tuple) else before
            raise BadInput(
                f"the sample {known.name!r} was drawn with {option} {said or 'unset'}; "
                "leave that out to go on with it, or give another --name to draw a new one"
            )
