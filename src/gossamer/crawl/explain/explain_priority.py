"""What the priority of a link is made of, from what the web has learnt."""

from collections.abc import Iterable
from pathlib import Path

from gossamer.config import TaskSpec
from gossamer.crawl.archive.archived_pages import document_of
from gossamer.crawl.host_shards import WHOLE
from gossamer.crawl.loop.reweigh_waiting import link_texts, rebuild_reading
from gossamer.crawl.task.make_guide import guide_for, load_learnt
from gossamer.errors import GossamerError
from gossamer.order.terms.order_term import NewLink
from gossamer.records import Link, Request
from gossamer.store.archive.archive_reader import ArchiveReader
from gossamer.store.batch import Store


def priority_parts(
    store: Store, folder: Path, spec: TaskSpec, request: Request, linking: Iterable[int]
) -> dict[str, float]:
    """Return what a waiting request's priority is made of, as of now; nothing if its order looks at depth alone.

    `linking` are pages that link to it.
    """
    page = store.page(request.parent) if request.parent else None
    try:
        guide = guide_for(spec, folder)
    except GossamerError:  # its topic is gone
        return {}
    if guide is None or page is None:
        return {}
    load_learnt(guide, store, request.task, WHOLE)
    link = Link(request.url, "a", link_texts(store, page.id).get(request.id, ""))
    document = document_of(page, ArchiveReader(folder / "archive"))
    text = "" if document is None else document.text
    others = (store.page(other) for other in set(linking) - {page.id})
    further = [rebuild_reading(other, request) for other in others if other is not None]
    return guide.explain(rebuild_reading(page, request, text), NewLink(request.id, link), further)
