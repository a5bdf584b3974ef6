"""Compute pictures in the background, once for all viewers, and let them grow while a crawl runs."""

import secrets
import threading
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from functools import partial
from pathlib import Path

import msgspec
import numpy as np

from gossamer.errors import GossamerError
from gossamer.ui.workbench.views.graph_view import FindPlaces, GraphView, ViewKey, grow_view, make_view
from gossamer.ui.workbench.views.kept_places import load_places, match_places, save_places
from gossamer.ui.workbench.views.web_graph import Links, WebGraph, load_web_graph
from gossamer.web import Web

_MOST_VIEWS = 4
_LEAST_PAUSE_S = 2.0
_PAUSE_FACTOR = 8.0
"""Looking for what is new may take a ninth of the time."""
_SHARES = {
    "reading links": (0.0, 0.15),
    "reading pages": (0.1, 0.2),
    "finding communities": (0.15, 0.25),
    "weighing nodes": (0.25, 0.3),
    "laying out": (0.3, 1.0),
}
"""The part of the work at which each step begins and ends."""
OpenWeb = Callable[[], AbstractContextManager[Web]]


class Progress(msgspec.Struct, frozen=True):
    """How far a picture is."""

    step: str
    share: float
    """From 0 to 1."""
    left_s: float | None
    """None as long as too little is known."""


class _Job:
    """A picture that is being computed, or why it could not be."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._began_s = clock()
        self.error = ""
        self._step, self._share = "waiting", 0.0

    def report(self, step: str, share: float) -> None:
        """Note how far a step is."""
        first, last = _SHARES[step]
        self._step, self._share = step, max(self._share, first + share * (last - first))

    def measure(self) -> Progress:
        """Return how far the job is; the time left comes from the time it took so far."""
        elapsed_s = self._clock() - self._began_s
        left_s = elapsed_s * (1 / self._share - 1) if self._share > 0.05 and elapsed_s > 1 else None
        return Progress(self._step, self._share, left_s)


class GraphViews:
    """The pictures of one web."""

    def __init__(self, open_web: OpenWeb, folder: Path, clock: Callable[[], float] = time.monotonic) -> None:
        self._open_web = open_web
        self._folder = folder
        self._clock = clock
        self._lock = threading.Lock()
        self._views: dict[ViewKey, GraphView] = {}
        """The one that was not asked for longest comes first."""
        self._jobs: dict[ViewKey, _Job] = {}
        self._graphs: dict[Links, WebGraph] = {}
        self._loading = threading.Lock()
        self._looked: dict[ViewKey, tuple[float, float]] = {}
        """When each picture was last brought up to date, and how long that took."""

    def find(self, key: ViewKey) -> "GraphView | Progress | str":
        """Return a picture, how far it is, or why there is none; the first to ask starts it."""
        with self._lock:
            if (view := self._views.pop(key, None)) is not None:
                self._views[key] = view
                return view
            job = self._jobs.get(key)
            if job is not None and not job.error:
                return job.measure()
            if job is not None:
                del self._jobs[key]  # the next one to ask tries again
                return job.error
            self._jobs[key] = job = _Job(self._clock)
            threading.Thread(target=self._compute, args=(key, job), daemon=True).start()
            return job.measure()

    def forget(self, key: ViewKey, links_too: bool = True) -> None:
        """Forget a picture, so that it is read and measured anew; places that are kept stay."""
        with self._lock:
            self._views.pop(key, None)
            if links_too:
                self._graphs.pop(key.links, None)

    def lay_out_anew(self, key: ViewKey) -> None:
        """Forget a picture and the places of its nodes."""
        self.forget(key)
        save_places(self._folder, str(key), np.empty(0, np.int64), np.empty((0, 2)))

    def refresh(self, key: ViewKey) -> GraphView | None:
        """Add what a crawl has found since; None if the picture must be loaded anew.

        Called as often as a browser asks; it looks at the web only after a pause.
        """
        with self._lock:
            view = self._views.get(key)
            looked_s, took_s = self._looked.get(key, (self._clock(), 0.0))
            self._looked.setdefault(key, (looked_s, took_s))
        if view is None:
            return None
        if self._clock() - looked_s < max(_LEAST_PAUSE_S, _PAUSE_FACTOR * took_s):
            return view
        if not self._loading.acquire(blocking=False):
            return view  # another viewer's request does it
        try:
            return self._grow(key, view)
        finally:
            self._loading.release()

    def _grow(self, key: ViewKey, view: GraphView) -> GraphView | None:
        began_s = self._clock()
        with self._open_web() as web:
            if web.store.last_visit() == view.web_graph.visit:
                self._looked[key] = (began_s, 0.0)
                return view
            web_graph = load_web_graph(web, key.links, lambda _, __: None, view.web_graph)
        find_places: FindPlaces = partial(match_places, view.keys, view.places)
        grown = grow_view(view, web_graph, find_places)
        with self._lock:
            self._looked[key] = (self._clock(), self._clock() - began_s)
            self._graphs[key.links] = web_graph
            if grown is None:
                self._views.pop(key, None)
                return None
            self._views[key] = grown
        if grown.nodes > view.nodes:
            save_places(self._folder, str(key), grown.keys, grown.places)
        return grown

    def _compute(self, key: ViewKey, job: _Job) -> None:
        try:
            web_graph = self._load(key.links, job.report)
            find_places: FindPlaces = partial(load_places, self._folder, str(key))
            view = make_view(web_graph, key, secrets.token_hex(6), find_places, job.report)
            save_places(self._folder, str(key), view.keys, view.places)
        except GossamerError as error:
            job.error = str(error)
            return
        except Exception as error:  # the page must not wait for ever; the log has the rest
            job.error = f"the picture could not be made: {type(error).__name__}"
            raise
        with self._lock:
            self._jobs.pop(key, None)
            self._views[key] = view
            while len(self._views) > _MOST_VIEWS:
                del self._views[next(iter(self._views))]

    def _load(self, links: Links, report: Callable[[str, float], None]) -> WebGraph:
        with self._loading:
            if links not in self._graphs:
                with self._open_web() as web:
                    self._graphs[links] = load_web_graph(web, links, report)
            return self._graphs[links]
