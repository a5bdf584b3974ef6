"""What every page needs at hand: the collection, the templates, and a key that only pages of this server know."""

import queue
import secrets
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Any

from starlette.requests import Request
from starlette.responses import HTMLResponse

from gossamer.ui.render_template import Drawing, Place
from gossamer.web import Web, open_to_read

# A question takes milliseconds; links that lead to a page may have to be sorted first, and nobody waits for that.
_WEBS = 3


class Desk:
    """The open collection, lent to one request at a time, and what draws pages."""

    def __init__(self, folder: Path, places: tuple[Place, ...] = ()) -> None:
        self.folder = folder
        self.form_key = secrets.token_urlsafe(24)
        """Stands in every form: a page of somebody else that sends a form cannot know it."""
        self.writing = threading.Lock()
        """Held by whoever writes what follows from what was read: the next number, one more."""
        self._drawing = Drawing(places)
        self._webs: queue.SimpleQueue[Web] = queue.SimpleQueue()
        for _ in range(_WEBS):
            self._webs.put(open_to_read(folder))

    def __enter__(self) -> "Desk":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for _ in range(_WEBS):
            self._webs.get().close()

    @contextmanager
    def web(self) -> Iterator[Web]:
        """Lend the collection: nobody else uses the same one meanwhile."""
        web = self._webs.get()
        try:
            yield web
        finally:
            self._webs.put(web)

    def own_web(self) -> Web:
        """Open the collection for something that may take minutes: lent ones are for those who wait for a page."""
        return open_to_read(self.folder)

    def page(self, request: Request, template: str, status: int = 200, **facts: Any) -> HTMLResponse:
        """Draw a page: a template of this room, with what it is to show."""
        here = {"path": request.url.path, "form_key": self.form_key, "folder": self.folder.name}
        return HTMLResponse(self._drawing.drawn(template, here | facts), status)


def desk_of(request: Request) -> Desk:
    """Return the desk of the application that a request came to."""
    desk: Desk = request.app.state.desk
    return desk
