"""Look whether a sitemap has changed: a conditional request, which robots.txt must allow."""

import hashlib
import http.client
from urllib.parse import urljoin, urlsplit

import msgspec

from gossamer.config import Politeness
from gossamer.errors import BadInput
from gossamer.fetch.guarded_connection import AddressRefusedError, connect, format_path, make_headers
from gossamer.fetch.user_agent_header import format_user_agent
from gossamer.net import robots
from gossamer.net.sitemap import read_sitemap

_MOST_BYTES = 50 * 1024 * 1024
_ROBOTS_AGE_S = 86_400.0
_SUCCESS, _NOT_MODIFIED = 200, 304
_REDIRECTS = (301, 302, 303, 307, 308)
_NOT_ALLOWED = "robots.txt does not allow it"


class SitemapState(msgspec.Struct, frozen=True):
    """What is known of a sitemap from earlier looks."""

    digest: str = ""
    """Of the pages that it lists; "" before the first look."""
    etag: str = ""
    modified: str = ""
    looked_s: float = 0.0
    robots_s: float = 0.0
    """When robots.txt was read last."""
    allowed: bool = True
    failures: int = 0
    """How often it could not be read, since the last success."""


class SitemapLook(msgspec.Struct, frozen=True):
    """What a look has shown."""

    state: SitemapState
    changed: bool = False
    why: str = ""
    """Why it could not be read."""


def look_at_sitemap(
    url: str, state: SitemapState, contact: str, allow_private: tuple[str, ...], now_s: float
) -> SitemapLook:
    """Ask for a sitemap if it has changed. The first look only remembers it."""
    agent = format_user_agent(Politeness(contact=contact))
    looked = msgspec.structs.replace(state, looked_s=now_s)
    try:
        if not 0 <= now_s - state.robots_s < _ROBOTS_AGE_S:
            looked = msgspec.structs.replace(
                looked, robots_s=now_s, allowed=_ask_robots(url, agent, allow_private)
            )
        if not looked.allowed:
            return _fail(looked, _NOT_ALLOWED)
        status, headers, body = _get(url, agent, allow_private, _make_conditions(looked))
    except (OSError, http.client.HTTPException, ValueError, AddressRefusedError, BadInput) as error:
        return _fail(looked, str(error) or type(error).__name__)
    looked = msgspec.structs.replace(looked, failures=0)
    if status == _NOT_MODIFIED:
        return SitemapLook(looked)
    if status in _REDIRECTS:
        return _fail(looked, f"it redirects to {headers.get('location', 'nowhere')[:200]}; name that address")
    if status != _SUCCESS:
        return _fail(looked, f"the server answered with status {status}")
    digest = _digest_pages(body, url, headers.get("content-type"))
    state_now = msgspec.structs.replace(
        looked, digest=digest, etag=headers.get("etag", ""), modified=headers.get("last-modified", "")
    )
    return SitemapLook(state_now, changed=bool(state.digest) and digest != state.digest)


def is_due(state: SitemapState, every_s: float, now_s: float) -> bool:
    """Say whether it is time for a look; after failures the pauses grow, up to eight times as long."""
    return not 0 <= now_s - state.looked_s < every_s * 2 ** min(state.failures, 3)


def _fail(state: SitemapState, why: str) -> SitemapLook:
    return SitemapLook(msgspec.structs.replace(state, failures=state.failures + 1), why=why)


def _digest_pages(body: bytes, url: str, content_type: str | None) -> str:
    """Return a digest of the pages and dates that a sitemap lists: comments and the order of attributes change nothing."""
    listed = read_sitemap.read(body, url, content_type)
    entries = (*listed.entries, *listed.sitemaps)
    if not entries:
        return hashlib.sha256(body).hexdigest()
    lines = sorted(f"{entry.loc} {entry.lastmod or ''}" for entry in entries)
    return hashlib.sha256("\n".join(lines).encode("utf-8", "replace")).hexdigest()


def _make_conditions(state: SitemapState) -> dict[str, str]:
    named = {"If-None-Match": state.etag, "If-Modified-Since": state.modified}
    return {name: value for name, value in named.items() if value}


def _ask_robots(url: str, agent: str, allow_private: tuple[str, ...]) -> bool:
    """Say whether robots.txt allows a URL; a server that fails allows nothing for now, as RFC 9309 says."""
    status, _, body = _get(urljoin(url, "/robots.txt"), agent, allow_private, {})
    if status == _SUCCESS:
        return robots.parse(body[: robots.MAX_BYTES]).allows(url, agent)
    return status < 500 and status != 429


def _get(
    url: str, agent: str, allow_private: tuple[str, ...], conditions: dict[str, str]
) -> tuple[int, dict[str, str], bytes]:
    """Return the status, the headers and the body of an answer."""
    parts = urlsplit(url)
    with connect(parts, allow_private) as connection:
        headers = make_headers(parts, agent) | {"Accept-Encoding": "identity"} | conditions
        connection.request("GET", format_path(parts), headers=headers)
        answer = connection.getresponse()
        body = answer.read(_MOST_BYTES)
        return answer.status, {name.lower(): value for name, value in answer.getheaders()}, body
