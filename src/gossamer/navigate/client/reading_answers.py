"""The answers of `/api/navigate`, as types for programs; `/api` of a server describes each field."""

from typing import Literal, TypedDict


class Pairing(TypedDict):
    """A pairing that has begun."""

    code: str
    secret: str
    approve: str
    expires_s: int


class Token(TypedDict):
    """Whether a person agreed; the token is sent once."""

    state: str
    token: str
    name: str


class Status(TypedDict):
    """What a server offers."""

    version: int
    program: str
    web: str
    pages: int
    features: list[str]


class TopicScore(TypedDict):
    """How relevant a page is to a topic."""

    name: str
    score: str


class PluginLine(TypedDict):
    """A line that a plug-in of the server adds."""

    plugin: str
    text: str


class Card(TypedDict):
    """What a collection knows about a page."""

    url: str
    known: bool
    title: str
    sentences: list[str]
    author: str
    language: str
    kind: str
    bytes: int
    words: int
    modified: str
    fetched_s: float
    visits: int
    status: int
    gone: bool
    failure: str
    redirects: list[str]
    depth: int
    rank: float
    in_links: int
    out_links: int
    topics: list[TopicScore]
    has_picture: bool
    lines: list[PluginLine]


class CardAnswer(TypedDict):
    """Several cards."""

    cards: list[Card]


class MarksAnswer(TypedDict):
    """The marks of links."""

    marks: list[list[str]]


class Backlink(TypedDict):
    """A page that links to another."""

    url: str
    title: str
    site: str
    anchor: str
    before: str
    after: str
    language: str
    fetched_s: float
    in_links: int
    written_s: float
    topics: list[str]
    has_picture: bool


class SiteCount(TypedDict):
    """How many pages are of one site."""

    name: str
    count: int


class Backlinks(TypedDict):
    """The pages that link to a page."""

    url: str
    title: str
    known: bool
    links: int
    found: int
    offset: int
    items: list[Backlink]
    sites: list[SiteCount]
    collect: str
    lines: list[PluginLine]


class RelatedPage(TypedDict):
    """A page like another one."""

    url: str
    title: str
    why: str


class RelatedPages(TypedDict):
    """Pages like one."""

    items: list[RelatedPage]


class DepthCount(TypedDict):
    """How many pages are at a depth."""

    depth: int
    pages: int


class ChangedPage(TypedDict):
    """A page that is new, or has another text."""

    url: str
    title: str
    changed_s: float
    is_new: bool


class PagePart(TypedDict):
    """A page of a sequence."""

    url: str
    title: str


class Site(TypedDict):
    """The overview of a site."""

    site: str
    pages: int
    looked_at: int
    depths: list[DepthCount]
    start: str
    changed: list[ChangedPage]
    sequence: list[PagePart]
    since_s: float


class PlacedPage(TypedDict):
    """A page on the map of a site."""

    url: str
    title: str


class Place(TypedDict):
    """Where a page stands in its site."""

    site: str
    way: list[PlacedPage]
    before: list[PlacedPage]
    after: list[PlacedPage]
    left_out: int


class VersionWords(TypedDict):
    """A run of words."""

    kind: Literal["same", "gone", "new"]
    text: str


class VersionBlock(TypedDict):
    """A paragraph that differs."""

    kind: Literal["changed", "added", "removed"]
    words: list[VersionWords]


class KeptVersion(TypedDict):
    """A version of a page."""

    fetched_s: float
    before_s: float
    title: str
    blocks: list[VersionBlock]
    left_out: int


class KeptVersions(TypedDict):
    """The versions of a page."""

    url: str
    title: str
    visits: int
    items: list[KeptVersion]
    note: str


class Event(TypedDict):
    """Something that happened: a page was visited, a card asked for, a page of a topic kept by a crawl."""

    event: Literal["visit", "card", "page"]
    url: str
    title: str
    when_s: float
    topics: list[str]
