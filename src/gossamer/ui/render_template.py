"""Drawing pages: templates in, HTML out. Whatever is put in is escaped: pages of a crawl are hostile."""

import hashlib
import time
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode

import jinja2
import msgspec

STATIC = Path(__file__).with_name("static")
SCRIPT = "htmx.min.js"
"""Comes when the program is built; pages do without where it could not be got."""


_ENDS = tuple(".!?…:;。！？؟।")
_CLOSING = "\"'”’»)] \n"
_FOLLOWS = tuple(",;.)")


class Place(msgspec.Struct, frozen=True):
    """A page that the head of every page leads to."""

    path: str
    name: str


class Drawing:
    """The templates of this room."""

    def __init__(self, places: Iterable[Place]) -> None:
        self._templates = jinja2.Environment(
            loader=jinja2.PackageLoader("gossamer.ui"),
            autoescape=True,
            undefined=jinja2.StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        self._templates.globals.update(
            places=tuple(places), has_htmx=(STATIC / SCRIPT).is_file(), static=static
        )
        self._templates.filters.update(
            day=day,
            moment=moment,
            address=address,
            parameters=parameters,
            harmless_href=harmless_href,
            asks=asks,
            goes_on=goes_on,
            begins_before=begins_before,
        )

    def drawn(self, template: str, facts: Mapping[str, Any]) -> str:
        """Return the HTML of a template."""
        return self._templates.get_template(template).render(**facts)


@cache
def static(name: str) -> str:
    """Return the address of a file that pages load; another content has another address, so that it can be kept for long."""
    return f"/static/{name}?{hashlib.blake2b((STATIC / name).read_bytes(), digest_size=6).hexdigest()}"


def day(date_s: float) -> str:
    """Return the day of a Unix time, as 2026-05-31."""
    try:
        return time.strftime("%Y-%m-%d", time.gmtime(date_s))
    except (OverflowError, OSError, ValueError):
        return ""


def moment(time_s: float) -> str:
    """Return a Unix time to the minute, as 2026-05-31 14:05 UTC."""
    return f"{day(time_s)} {time.strftime('%H:%M', time.gmtime(time_s % 86_400))} UTC"


def address(url: str) -> str:
    """Return a URL as people read it: without scheme and last slash, with > between its folders."""
    return " › ".join(filter(None, url.partition("://")[2].split("/"))) or url


def parameters(told: Mapping[str, object]) -> str:
    """Return what stands behind the ? of an address; what is empty is left out."""
    return urlencode({name: value for name, value in told.items() if value}, quote_via=quote)


def harmless_href(url: str) -> str:
    """Return a URL that a person may click on: anything else than a page of the web leads nowhere."""
    return url if url.lower().startswith(("http://", "https://")) else "#"


def asks(url: str, field: str) -> str:
    """Return the address that asks for what a field says of a page: `link` or `related`."""
    value = f'"{url}"' if set(url) & set(" ()") else url
    return f"/search?{parameters({'q': f'{field}:{value}'})}"


def goes_on(text: str) -> bool:
    """Say whether a piece of a text was cut off before the end of a sentence."""
    return not text.rstrip(_CLOSING).endswith(_ENDS)


def begins_before(text: str) -> bool:
    """Say whether a piece of a text begins in the middle of a sentence: by a small letter, or a sign that follows words."""
    return text[:1].islower() or text.startswith(_FOLLOWS)
