"""Explain the priority of a waiting link: the terms that its order adds up."""

from collections.abc import Iterable
from pathlib import Path

from gossamer.config import TaskSpec
from gossamer.crawl.from_archive.archived_pages import read_document
from gossamer.crawl.host_shards import WHOLE
from gossamer.crawl.loop.reweigh_waiting import link_texts, rebuild_reading
from gossamer.crawl.task.make_guide import load_guide, load_learnt
from gossamer.errors import GossamerError
from gossamer.order.terms.order_term import NewLink
from gossamer.records import Link, Request
from gossamer.store.batch import Store
from gossamer.store.opening.open_archive import open_reader


def explain_priority(
    store: Store, folder: Path, spec: TaskSpec, request: Request, linking: Iterable[int]
) -> dict[str, float]:
    """Return the terms of a waiting request's priority as of now; empty if its order looks only at depth.

    `linking` are the ids of pages that link to it.
    """
    page = store.page(request.parent) if request.parent else None
    try:
        guide = load_guide(spec, folder)
    except GossamerError:  # its topic was deleted
        return {}
    if guide is None or page is None:
        return {}
    load_learnt(guide, store, request.task, WHOLE)
    link = Link(request.url, "a", link_texts(store, page.id).get(request.id, ""))
    document = read_document(page, open_reader(folder / "archive"))
    text = "" if document is None else document.text
    others = (store.page(other) for other in set(linking) - {page.id})
    further = [rebuild_reading(other, request) for other in others if other is not None]
    return guide.explain(rebuild_reading(page, request, text), NewLink(request.id, link), further)
