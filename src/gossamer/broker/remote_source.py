"""A web at another server, `gossamer serve`, that is searched by its JSON API together with others."""

from typing import TypeVar
from urllib.parse import quote, unquote, urlencode, urlsplit

import msgspec

from gossamer.broker.check_answers import check_answers, check_statistics, clean_line
from gossamer.broker.server_client import ServerClient
from gossamer.broker.web_source import SEVERAL, SourceQuery, Unavailable
from gossamer.errors import BadInput
from gossamer.net import url as urls
from gossamer.search.answers.answer_records import Answers, SearchOptions
from gossamer.search.answers.web_statistics import WebStatistics, pack_statistics

_MOST_ON_PAGE = 100
_ASKED_OPTIONS = ("ranking", "feedback", "fold", "related", "years", "explain")
_NEEDS_ANSWERS = "it answers in a form that this version cannot read"
_MOST_SUGGESTIONS = 8

Kind = TypeVar("Kind")


class SuggestionList(msgspec.Struct, frozen=True):
    """What another server suggests."""

    suggestions: tuple[str, ...]


class RemoteSource:
    """A web at another server."""

    def __init__(self, url: str, client: ServerClient) -> None:
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise BadInput(
                f"{urls.hide_user_info(url)} is not the address of a server; write it like https://search.example/"
            )
        authority = parts.netloc.rpartition("@")[2]
        self.address = f"{parts.scheme}://{authority}{parts.path.rstrip('/')}/"
        self.name = self.address
        self._auth = f":{unquote(parts.password or parts.username or '')}" if "@" in parts.netloc else ""
        self._client = client

    def describe(self, text: str, languages: tuple[str, ...]) -> WebStatistics | Unavailable:
        """Return the statistics of the web for a query."""
        found = self._ask("statistics", WebStatistics, q=text, languages=",".join(languages))
        if isinstance(found, Unavailable):
            return found
        return check_statistics(found, urls.host(self.address))

    def search(self, query: SourceQuery) -> Answers | Unavailable:
        """Return its best answers; a server sends at most a hundred at a time."""
        wanted = query.options.size
        parameters = _make_parameters(query)
        pages: list[Answers] = []
        for page in range(1, -(-wanted // _MOST_ON_PAGE) + 1):
            size = min(wanted, _MOST_ON_PAGE)
            found = self._ask("search", Answers, **parameters, page=str(page), size=str(size))
            if isinstance(found, Unavailable):
                return found
            pages.append(check_answers(found, size))
            if not found.more:
                break
        answers = tuple(answer for one in pages for answer in one.answers)[:wanted]
        return msgspec.structs.replace(pages[0], answers=answers, more=pages[-1].more)

    def suggest(self, typed: str) -> list[str]:
        """Return completions for a query that is being typed; none if the web is not available."""
        found = self._ask("suggest", SuggestionList, q=typed)
        if isinstance(found, Unavailable):
            return []
        return [clean_line(one) for one in found.suggestions[:_MOST_SUGGESTIONS]]

    def close(self) -> None:
        """Do nothing: the client belongs to all sources."""

    def _ask(self, verb: str, kind: type[Kind], **parameters: str) -> Kind | Unavailable:
        given = {name: value for name, value in parameters.items() if value}
        query = urlencode(given, quote_via=quote, safe=",:[]")
        body = self._client.get_json(f"{self.address}api/{verb}?{query}", self._auth)
        if isinstance(body, Unavailable):
            return body
        try:
            return msgspec.json.decode(body, type=kind)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            return Unavailable(_NEEDS_ANSWERS)


def _make_parameters(query: SourceQuery) -> dict[str, str]:
    options, known = query.options, query.known
    plain = SearchOptions()
    asked = {
        name: _format(getattr(options, name))
        for name in _ASKED_OPTIONS
        if getattr(options, name) != getattr(plain, name)
    }
    found = {"q": query.text, **options.only, **asked}
    if options.language:
        found["query_language"] = options.language
    if known is not None:  # older servers refuse parameters that they do not know
        found |= {"fingerprints": "true", "hops": str(query.hops + 1)}
        if options.whole is not None and known.scoring != SEVERAL:
            found["statistics"] = pack_statistics(options.whole, known.terms)
    return found


def _format(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
