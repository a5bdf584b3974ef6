"""The API of paired browsers: cards of links, marks on links, and pages that link here."""

from pathlib import Path
from typing import Annotated

import msgspec
from msgspec import Meta
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

import gossamer
from gossamer.navigate.backlinks import MOST_SHOWN, BacklinkOrder, Backlinks, find_backlinks
from gossamer.navigate.history.read_marks import mark_read_links
from gossamer.navigate.link_card import MOST_CARDS, CardMaker, LinkCard
from gossamer.navigate.link_marks import MOST_LINKS, mark_links
from gossamer.navigate.reading_plugins import ReadingPlugins
from gossamer.navigate.related_pages import RelatedPages, find_related_pages
from gossamer.ui.access.paired_request import find_browser, for_paired, for_paired_async
from gossamer.ui.api.json_io import make_response, read_json, read_parameters
from gossamer.ui.api.navigate.events_api import tell_cards
from gossamer.ui.api.search_records import ApiParameters
from gossamer.ui.navigate.reading_parts import get_reading
from gossamer.ui.page_context import PageContext, get_context
from gossamer.ui.pages.page_picture import PICTURE_HEADERS, read_page_picture

_NOT_FOUND = 404
_MOST_CHARACTERS = 4_000
_MOST_MARK_BYTES = 1_000_000
"""Of a request about 2,000 links: addresses of 500 bytes each."""
Address = Annotated[str, Meta(max_length=_MOST_CHARACTERS, description="The address of a page.")]


class NavigateStatus(msgspec.Struct, frozen=True):
    """What this server offers to an extension."""

    version: int
    """Of this part of the API."""
    program: str
    web: str
    pages: int
    features: tuple[str, ...]


class CardParameters(ApiParameters, frozen=True, kw_only=True):
    """The page behind a link."""

    url: Address


class CardsRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The pages behind several links."""

    urls: Annotated[list[Address], Meta(max_length=MOST_CARDS)]


class CardList(msgspec.Struct, frozen=True):
    """Cards, in the order of the request."""

    cards: list[LinkCard]


class MarksRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A page, and the links on it."""

    page: Address
    links: Annotated[list[Address], Meta(max_length=MOST_LINKS)]


class LinkMarks(msgspec.Struct, frozen=True):
    """The marks of each link, in the order of the request."""

    marks: list[list[str]]


class BacklinkParameters(ApiParameters, frozen=True, kw_only=True):
    """The page that others link to, and which of them are wanted."""

    url: Address
    offset: Annotated[int, Meta(ge=0, le=100_000, description="How many pages to leave out first.")] = 0
    count: Annotated[int, Meta(ge=1, le=MOST_SHOWN, description="How many pages.")] = 20
    site: Annotated[str, Meta(max_length=300, description="Only pages of this host or site.")] = ""
    topic: Annotated[str, Meta(max_length=200, description="Only pages that are relevant to this topic.")] = (
        ""
    )
    order: Annotated[
        BacklinkOrder, Meta(description="`best`: by PageRank. `latest`: those that were written last.")
    ] = "best"


def send_status(request: Request) -> Response:
    """Say what this server offers."""
    with get_context(request).borrow_web() as web:
        pages = web.store.counts()["pages"]
        name = web.title or web.name
    features = (
        "cards",
        "marks",
        "backlinks",
        "pictures",
        "related",
        "site",
        "place",
        "versions",
        "events",
        *get_reading(request).features,
    )
    return make_response(NavigateStatus(1, gossamer.__version__, name, pages, features))


async def send_card(request: Request) -> Response:
    """Send the card of one address."""
    given, context = read_parameters(request.query_params, CardParameters), get_context(request)
    (card,) = await context.run_card(_make_cards, context, [given.url], get_reading(request).plugins)
    tell_cards(request, [card])
    return make_response(card)


async def send_cards(request: Request) -> Response:
    """Send the cards of several addresses."""
    given = await read_json(request, CardsRequest)
    context = get_context(request)
    cards = await context.run_costly(_make_cards, context, given.urls, get_reading(request).plugins)
    tell_cards(request, cards)
    return make_response(CardList(cards))


async def send_marks(request: Request) -> Response:
    """Send the marks of the links of a page."""
    given = await read_json(request, MarksRequest, _MOST_MARK_BYTES)
    context, reading = get_context(request), get_reading(request)
    browser, path = find_browser(request), None
    if reading.histories is not None and browser is not None:
        path = reading.histories.find(request.app.state.authenticator, browser.user, request.headers)
    return make_response(LinkMarks(await context.run_card(_mark, context, given, path)))


async def send_backlinks(request: Request) -> Response:
    """Send the pages that link to an address."""
    given, context = read_parameters(request.query_params, BacklinkParameters), get_context(request)
    plugins = get_reading(request).plugins
    return make_response(await context.run_costly(_find_backlinks, context, given, plugins))


async def send_small_picture(request: Request) -> Response:
    """Send the small picture of a page."""
    given, context = read_parameters(request.query_params, CardParameters), get_context(request)
    image = await context.run_card(_read_picture, context, given.url)
    if image is None:
        return make_response({"error": "There is no picture of this page."}, _NOT_FOUND)
    return Response(image, headers=PICTURE_HEADERS, media_type="image/webp")


def _read_picture(context: PageContext, url: str) -> bytes | None:
    with context.borrow_web() as web:
        return read_page_picture(web, url, "small")


def _make_cards(context: PageContext, urls: list[str], plugins: ReadingPlugins) -> list[LinkCard]:
    with context.borrow_web() as web:
        maker = CardMaker(web)
        cards = [maker.make_card(url) for url in urls]
    return [plugins.add_card_lines(card) for card in cards]


async def send_related(request: Request) -> Response:
    """Send pages like one."""
    given, context = read_parameters(request.query_params, CardParameters), get_context(request)
    return make_response(await context.run_costly(_find_related, context, given.url))


def _find_related(context: PageContext, url: str) -> RelatedPages:
    with context.borrow_web() as web:
        return find_related_pages(web, url)


def _find_backlinks(context: PageContext, given: BacklinkParameters, plugins: ReadingPlugins) -> Backlinks:
    with context.borrow_web() as web:
        found = find_backlinks(
            web, given.url, given.offset, given.count, given.site, topic=given.topic, order=given.order
        )
    return plugins.add_panel_lines(found)


def _mark(context: PageContext, given: MarksRequest, history: Path | None) -> list[list[str]]:
    with context.borrow_web() as web:
        marks = mark_links(web.store, given.page, given.links)
        if history is None:
            return marks
        read = mark_read_links(history, web.store, given.links)
        return [one + more for one, more in zip(marks, read, strict=True)]


ROUTES = (
    Route("/api/navigate/status", for_paired(send_status)),
    Route("/api/navigate/card", for_paired_async(send_card)),
    Route("/api/navigate/cards", for_paired_async(send_cards), methods=["POST"]),
    Route("/api/navigate/marks", for_paired_async(send_marks), methods=["POST"]),
    Route("/api/navigate/related", for_paired_async(send_related)),
    Route("/api/navigate/picture", for_paired_async(send_small_picture)),
    Route("/api/navigate/backlinks", for_paired_async(send_backlinks)),
)
