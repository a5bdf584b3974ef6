"""A web on this machine, or in a database, that is searched together with others."""

from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import msgspec

from gossamer.broker.web_source import SourceQuery, Unavailable
from gossamer.errors import GossamerError
from gossamer.search.answers.answer_records import Answers
from gossamer.search.answers.web_statistics import WebStatistics
from gossamer.store.opening.web_name import label_web, name_web
from gossamer.web import Web, open_to_read

Result = TypeVar("Result")


class LocalSource:
    """A web on this machine; it is opened when it is first asked, and again after a failure."""

    address = ""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.name = name_web(folder)
        self._web: Web | None = None

    def describe(self, text: str, languages: tuple[str, ...]) -> WebStatistics | Unavailable:
        """Return the statistics of the web for a query."""
        return self._ask(lambda web: self._describe(web, text, languages))

    def search(self, query: SourceQuery) -> Answers | Unavailable:
        """Return its best answers."""
        return self._ask(lambda web: web.search(query.text, **msgspec.structs.asdict(query.options)))

    def suggest(self, typed: str) -> list[str]:
        """Return completions for a query that is being typed; none if the web is not available."""
        found = self._ask(lambda web: web.suggestions(typed))
        return [] if isinstance(found, Unavailable) else found

    def get_web(self) -> Web:
        """Return the opened web; raise if it cannot be opened."""
        if self._web is None:
            self._web = open_to_read(self.folder)
        return self._web

    def close(self) -> None:
        """Close the web."""
        if self._web is not None:
            self._web.close()
            self._web = None

    def _describe(self, web: Web, text: str, languages: tuple[str, ...]) -> WebStatistics:
        found = web.query_statistics(text, languages)
        return msgspec.structs.replace(found, title=found.title or label_web(self.folder))

    def _ask(self, question: Callable[[Web], Result]) -> Result | Unavailable:
        try:
            return question(self.get_web())
        except GossamerError as error:
            return Unavailable(str(error))
