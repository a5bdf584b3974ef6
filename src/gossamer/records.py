"""The nouns: thin frozen records, one for each stage in the life of a link. No logic."""

from typing import Literal

import msgspec

LinkType = Literal["a", "area", "frame", "iframe", "link", "refresh", "form", "redirect", "sitemap", "seed"]
RequestType = LinkType | Literal["revisit", "requisite"]
"""A page may also be requested because it was visited before: a revisit. A requisite is what another page needs to be
shown: an image, a style, a script."""


class Link(msgspec.Struct, frozen=True, gc=False):
    """A link on a page; also a redirect, an entry of a sitemap or a start page."""

    url: str
    """Absolute, in canonical form."""
    type: LinkType = "a"
    text: str = ""
    """Anchor text; the alternative text of images counts."""
    rel: str = ""
    """As written, lower case, words separated by one space."""
    title: str = ""


class Request(msgspec.Struct, frozen=True, gc=False):
    """A link that a task is to fetch."""

    id: int
    """Page id: the fingerprint of the URL."""
    url: str
    host: str
    """With port, as `net.url.host` gives it."""
    task: int
    depth: int = 0
    priority: float = 0.0
    """Higher goes first within its host; equal ones in order of arrival."""
    parent: int = 0
    """Page id of the page it was found on; 0 for start pages."""
    type: RequestType = "a"
    attempt: int = 0
    """Failed tries so far."""
    number: int = 0
    """Order of arrival in the web; given by the shard that owns the host."""
    hops: int = 0
    """Redirects in a row that led here; for a requisite, also the requisites in a row, such as styles that import styles."""


class Exchange(msgspec.Struct, frozen=True, gc=False):
    """One HTTP exchange as it went over the wire."""

    url: str
    status: int
    request_head: bytes
    """Request line and headers as sent, with the empty line."""
    response_head: bytes
    """Status line and headers as received, with the empty line."""
    payload: bytes
    """Body as received, after transfer decoding, before content decoding."""
    body: bytes
    """Body after content decoding: the same object as `payload` when nothing was encoded."""
    headers: tuple[tuple[str, str], ...]
    """Lower-case names."""
    address: str
    """IP address that answered; the proxy's, if there was one."""
    began_s: float
    """Unix time when the request was sent."""
    first_byte_s: float
    took_s: float
    cut: Literal["", "length", "time", "connection"] = ""
    """Why the body is incomplete, if it is."""
    held_s: float = 0.0
    """How long we did not read it, since the bandwidth is limited; `took_s` is without this time."""
    rendered_by: str = ""
    """The browser that made this document of a response; "" if a server sent it. It has no heads then."""


FailureCause = Literal[
    "dns", "connect", "tls", "timeout", "reset", "too_large", "protocol", "status", "internal"
]  # fmt: skip
RefusalCause = Literal[
    "robots", "robots unreachable", "connect", "tls", "private address", "bad url", "trap", "per_host", "dead host",
    "sitemaps", "withdrawn", "folder", "forgotten",
]  # fmt: skip


class Fetched(msgspec.Struct, frozen=True, tag=True):
    """The page was fetched."""

    exchange: Exchange


class NotModified(msgspec.Struct, frozen=True, tag=True):
    """The page has not changed since we fetched it."""

    exchange: Exchange


class Redirected(msgspec.Struct, frozen=True, tag=True):
    """The page is at another URL."""

    exchange: Exchange
    location: str
    """As sent, not yet resolved."""


class Refused(msgspec.Struct, frozen=True, tag=True):
    """The page is not requested, and why."""

    cause: RefusalCause
    detail: str = ""


class Failed(msgspec.Struct, frozen=True, tag=True):
    """The page could not be fetched, and why."""

    cause: FailureCause
    detail: str = ""
    retry_after_s: float | None = None
    """The pause that the server asked for, if it did."""
    exchange: Exchange | None = None
    """What was received, if anything: an error page, the first half of a body."""


Outcome = Fetched | NotModified | Redirected | Refused | Failed


class Page(msgspec.Struct, frozen=True, gc=False):
    """What the web keeps of a page that was fetched; its bytes are in the archive."""

    id: int
    url: str
    host: str
    task: int
    """The task that fetched it."""
    depth: int
    fetched_s: float
    status: int
    kind: str
    """What it is, as `net.media_type.detect_kind` returns it."""
    title: str = ""
    language: str = ""
    """The language of its text, as a BCP 47 code; "" if it is not known or was not recognised."""
    declared_language: str = ""
    """What the page or its server says, as written. Not to be trusted."""
    description: str = ""
    body_bytes: int = 0
    digest: str = ""
    """Of the payload, as in its WARC record."""
    text_digest: int = 0
    simhash: int = 0
    words: int = 0
    """How many it says, as `net.fingerprint` counts them."""
    etag: str = ""
    last_modified: str = ""
    index: bool = True
    archive: bool = True
    """What the page's robots directives allow."""
    cut: str = ""
    """Why its body is not whole, if it is not."""
    marks: dict[str, str] = {}
    """What classifiers said of it."""
    warc: str = ""
    warc_offset: int = 0
    """Where its response record begins."""


class PageLink(msgspec.Struct, frozen=True, gc=False):
    """A link between two pages, by their ids."""

    source: int
    target: int
    type: LinkType
    text: str = ""
    nofollow: bool = False
    spans_hosts: bool = False
    spans_sites: bool = False


VisitResult = Literal["fetched", "not modified", "redirected", "refused", "failed", "cache hit", "robots"]
"""`robots`: what it was asked for as a host's robots.txt, whatever came, and not as a page."""


class Visit(msgspec.Struct, frozen=True, gc=False):
    """One attempt at a page, with its result."""

    page: int
    task: int
    when_s: float
    result: VisitResult
    status: int = 0
    cause: str = ""
    """Why it was refused or failed."""
    detail: str = ""
    took_s: float = 0.0
    body_bytes: int = 0
    address: str = ""
    text_digest: int = 0
    warc: str = ""
    warc_offset: int = 0


class Decision(msgspec.Struct, frozen=True, gc=False):
    """A decision about a URL that cannot be derived from the rules alone."""

    page: int
    task: int
    when_s: float
    rule: str
    """The rule that decided: a filter's name, `trap`, `per_host` …"""
    detail: str = ""


class HostNote(msgspec.Struct, frozen=True, gc=False):
    """What the web remembers of a host, so that manners outlive the process."""

    name: str
    ready_s: float = 0.0
    """Not to be asked before this time (Unix seconds)."""
    crawl_delay_s: float = 0.0
    failures: int = 0
    address: str = ""
    robots: bytes | None = None
    """Its robots.txt; None if never asked for, or not to be had."""
    robots_status: int = 0
    robots_s: float = 0.0
    """When robots.txt was asked for."""
