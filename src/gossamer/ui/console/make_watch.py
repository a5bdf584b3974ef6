"""Put together what the pages of the console are told while a crawl runs."""

from gossamer.ui.console.live.crawl_watch import (
    SHARED_S,
    CrawlWatch,
    LiveMessage,
    SnapshotReader,
    Subject,
)
from gossamer.ui.console.live.live_page import render_message
from gossamer.ui.console.tasks.shared_parts import SharedParts
from gossamer.ui.page_context import PageContext
from gossamer.web import Web


def make_watch(context: PageContext, parts: SharedParts) -> CrawlWatch:
    """Return the watch of an application: it renders what changes on the live page and on the pages of tasks."""

    def make_message(web: Web, reader: SnapshotReader, subject: Subject) -> LiveMessage:
        if subject.page == "live":
            return render_message(context, reader.read(web, subject.task, SHARED_S), subject.task)
        status = reader.read_status(web, SHARED_S)
        if subject.page == "tasks":
            return LiveMessage(html=parts.render_list(context, web, status, ""))
        if not any(one.note.number == subject.task for one in status.tasks):
            return LiveMessage(trouble=f"this web has no task {subject.task}")
        return LiveMessage(html=parts.render_facts(context, web, status, subject.task, ""))

    return CrawlWatch(context.open_web, make_message)
