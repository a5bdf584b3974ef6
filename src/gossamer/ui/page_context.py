"""What every page needs: open webs and the templates."""

import queue
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from types import TracebackType
from typing import Any, ParamSpec, TypeVar

import anyio
import msgspec
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse

from gossamer.broker.broker import Broker, open_many
from gossamer.errors import BadInput, GossamerError
from gossamer.store.opening.open_archive import DATABASE
from gossamer.store.opening.web_name import label_web
from gossamer.store.opening.web_versions import INDEX, find_folder
from gossamer.ui.access.roles import ANYONE
from gossamer.ui.access.visitor import get_visitor
from gossamer.ui.render_template import NavItem, TemplateRenderer
from gossamer.web import Web, open_to_read

# A query takes milliseconds; sorting the links to a page may take longer, and must not block other requests.
_WEBS = 3
# One web stays free for queries while copies are rendered and samples are drawn.
_COSTLY = 2
_CARDS = 1
_LOOK_S = 3.0

Given = ParamSpec("Given")
Result = TypeVar("Result")


class RobotAbout(msgspec.Struct, frozen=True):
    """What only the person who runs the robot can say about it."""

    who: str
    contact: str = ""
    addresses: tuple[str, ...] = ()


class PageContext:
    """Open webs, each lent to one request at a time, and the renderer of pages."""

    def __init__(
        self,
        folder: Path | None,
        navigation: tuple[NavItem, ...] = (),
        webs: Sequence[str] = (),
        schedule: Path | None = None,
    ) -> None:
        """Open the web in a folder; with several `webs`, their names or addresses, queries are answered from all of them."""
        self._folder = folder
        self.schedule = schedule
        """The schedule that the console shows, if there is one."""
        self.write_lock = threading.Lock()
        """Held while something is read, changed and written back, such as a counter."""
        self.costly_turns = anyio.CapacityLimiter(_COSTLY)
        """How many requests may do what takes seconds at once."""
        self.card_turns = anyio.CapacityLimiter(_CARDS)
        """How many cards and marks are made at once: they take milliseconds, and do not wait for what takes seconds."""
        self.title = ""
        """The title of the web, as it was when a web was last lent."""
        self.keeps_history = False
        """Whether the pages lead to the history of their visitor."""
        self.about: RobotAbout | None = None
        """What the public page about the robot says; None if there is none."""
        self._renderer = TemplateRenderer(navigation)
        self._webs: queue.SimpleQueue[Web] = queue.SimpleQueue()
        self._brokers: queue.SimpleQueue[Broker] = queue.SimpleQueue()
        self.has_several_webs = len(webs) > 1 or folder is None
        """Whether queries are answered from several webs."""
        for _ in range(_WEBS if self.has_several_webs else 0):
            self._brokers.put(open_many(webs))
        for _ in range(_WEBS if folder is not None else 0):
            self._webs.put(open_to_read(self.folder))
        self._closed = threading.Event()
        if folder is None:
            return
        with self.borrow_web():
            pass  # reads the title
        if (folder / DATABASE).exists():
            threading.Thread(target=self._look_for_versions, daemon=True).start()

    def __enter__(self) -> "PageContext":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._closed.set()
        for _ in range(_WEBS if self._folder is not None else 0):
            self._webs.get().close()
        for _ in range(_WEBS if self.has_several_webs else 0):
            self._brokers.get().close()

    @property
    def has_own_web(self) -> bool:
        """Whether a web on this machine is served."""
        return self._folder is not None

    @property
    def folder(self) -> Path:
        """The folder of the web that is crawled, judged and shown in copies: the first on this machine."""
        if self._folder is None:
            raise BadInput("this server searches webs of other servers, and has none of its own")
        return self._folder

    @contextmanager
    def borrow_web(self, origin: str = "") -> Iterator[Web]:
        """Lend a web, which no other request uses meanwhile: the first, or the one on this machine that is called `origin`."""
        if origin and self.has_several_webs:
            with self._borrow_broker() as broker:
                yield broker.get_web(origin)
            return
        _ = self.folder  # raises if there is none
        web = self._webs.get()
        try:
            # A title of one web would mislead where several are searched.
            self.title = web.title if not self.has_several_webs else ""
            yield web
        finally:
            self._webs.put(web)

    @contextmanager
    def borrow_searcher(self) -> "Iterator[Web | Broker]":
        """Lend what answers queries: the web, or a broker of several webs."""
        with self._borrow_broker() if self.has_several_webs else self.borrow_web() as searcher:
            yield searcher

    @contextmanager
    def _borrow_broker(self) -> Iterator[Broker]:
        broker = self._brokers.get()
        try:
            yield broker
        finally:
            self._brokers.put(broker)

    def _look_for_versions(self) -> None:
        """Look for a newer index of a web in a database, so that even the first visitor after a pause gets its answers."""
        while not self._closed.wait(_LOOK_S):
            with suppress(GossamerError):
                find_folder(self.folder, INDEX)

    def open_web(self) -> Web:
        """Open another web for work that may take minutes, so that the lent ones stay free for pages."""
        return open_to_read(self.folder)

    async def run_costly(
        self, work: Callable[Given, Result], *args: Given.args, **kwargs: Given.kwargs
    ) -> Result:
        """Run what may take seconds in a thread, few at once; others wait without using a thread."""
        async with self.costly_turns:
            return await run_in_threadpool(work, *args, **kwargs)

    async def run_card(
        self, work: Callable[Given, Result], *args: Given.args, **kwargs: Given.kwargs
    ) -> Result:
        """Run what takes milliseconds in a thread, one after the other: a reader who moves over many links asks often."""
        async with self.card_turns:
            return await run_in_threadpool(work, *args, **kwargs)

    def render_part(self, template: str, **facts: Any) -> str:
        """Render a part of a page that is the same for all visitors."""
        return self._renderer.render(template, facts)

    def render_page(self, request: Request, template: str, status: int = 200, **facts: Any) -> HTMLResponse:
        """Render a template with some variables."""
        visitor = get_visitor(request)
        here: dict[str, Any] = {"path": request.url.path, "form_key": visitor.form_key, "visitor": visitor}
        # Who has not logged in does not learn which web this is.
        is_known = visitor.user.role > ANYONE
        here["folder"] = label_web(self._folder) if is_known and self._folder is not None else ""
        here["has_history"] = self.keeps_history
        here["has_schedule"] = self.schedule is not None
        here["site_name"] = (self.title if is_known else "") or "Gossamer"
        return HTMLResponse(self._renderer.render(template, here | facts), status)


def get_context(request: Request) -> PageContext:
    """Return the context of the application that handles a request."""
    context: PageContext = request.app.state.context
    return context
