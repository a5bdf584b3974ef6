"""Render templates to HTML. All variables are escaped, since crawled pages may be hostile."""

import hashlib
import time
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode

import jinja2
import msgspec
from markupsafe import Markup, escape

from gossamer.search.answers.readable_address import split_address
from gossamer.ui.access.roles import READER, Role

STATIC = Path(__file__).with_name("static")
SUGGESTIONS_SCRIPT, CURVES_SCRIPT, GRAPH_SCRIPT = "htmx.min.js", "uPlot.iife.min.js", "sigma.min.js"
"""In `static/vendor`, fetched when the program is built; pages work without them."""


_READ_AT_START = ("base.html", "box.html", "sentence.html", "forbidden.html", "enter.html")
_STATIC_OF_ALL = ("icon.svg", "style.css", "page.js")
_ENDS = tuple(".!?…:;。！？؟।")
_CLOSING = "\"'”’»)] \n"
_FOLLOWS = tuple(",;.)")


class NavItem(msgspec.Struct, frozen=True):
    """An entry in the navigation of every page."""

    path: str
    name: str
    role: Role = READER
    """Only visitors with this role see it."""


class TemplateRenderer:
    """Renders the templates of this package."""

    def __init__(self, navigation: Iterable[NavItem]) -> None:
        self._templates = jinja2.Environment(
            loader=jinja2.PackageLoader("gossamer.ui"),
            autoescape=True,
            undefined=jinja2.StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        self._templates.globals.update(
            navigation=tuple(navigation),
            static=make_static_address,
            has_htmx=has_script(SUGGESTIONS_SCRIPT),
            has_curves=has_script(CURVES_SCRIPT),
            has_graph=has_script(GRAPH_SCRIPT),
        )
        self._templates.filters.update(
            day=format_day,
            minute=format_minute,
            second=format_second,
            clock=format_clock,
            address_parts=split_address,
            parameters=encode_parameters,
            code_spans=mark_code,
            safe_href=make_safe_href,
            query_address=make_query_address,
            ends_mid_sentence=ends_mid_sentence,
            begins_mid_sentence=begins_mid_sentence,
        )
        # Pages that say why a request was refused must not need a file: slow clients may have used up the descriptors.
        for name in _READ_AT_START:
            self._templates.get_template(name)
        for name in _STATIC_OF_ALL:
            make_static_address(name)
        if has_script(SUGGESTIONS_SCRIPT):
            make_static_address(f"vendor/{SUGGESTIONS_SCRIPT}")

    def render(self, template: str, facts: Mapping[str, Any]) -> str:
        """Return the HTML of a template."""
        return self._templates.get_template(template).render(**facts)


def has_script(name: str) -> bool:
    """Say whether a script of another project was fetched when the program was built."""
    return (STATIC / "vendor" / name).is_file()


@cache
def make_static_address(name: str) -> str:
    """Return the address of a static file, with a hash of its content, so that browsers can cache it for ever."""
    return f"/static/{name}?{hashlib.blake2b((STATIC / name).read_bytes(), digest_size=6).hexdigest()}"


def format_day(time_s: float) -> str:
    """Return the day of a Unix time, as 2026-05-31."""
    try:
        return time.strftime("%Y-%m-%d", time.gmtime(time_s))
    except (OverflowError, OSError, ValueError):
        return ""


def format_minute(time_s: float) -> str:
    """Return a Unix time to the minute, as 2026-05-31 14:05 UTC."""
    return f"{format_day(time_s)} {time.strftime('%H:%M', time.gmtime(time_s % 86_400))} UTC"


def format_second(time_s: float) -> str:
    """Return a Unix time to the second in UTC, as 2026-05-31 14:05:07."""
    return f"{format_day(time_s)} {format_clock(time_s)}"


def format_clock(time_s: float) -> str:
    """Return the time of day of a Unix time in UTC, as 14:05:07."""
    return time.strftime("%H:%M:%S", time.gmtime(time_s % 86_400))


def mark_code(sentence: str) -> Markup:
    """Return a sentence as HTML, with what is between backticks as code."""
    parts = sentence.split("`")
    if len(parts) % 2 == 0:  # a backtick without its counterpart
        return escape(sentence)
    marked = (
        Markup("<code>{}</code>").format(part) if at % 2 else escape(part) for at, part in enumerate(parts)
    )
    return Markup("").join(marked)


def encode_parameters(parameters: Mapping[str, object]) -> str:
    """Return the query string of an address, without empty parameters."""
    return urlencode({name: value for name, value in parameters.items() if value}, quote_via=quote)


def make_safe_href(url: str) -> str:
    """Return a URL that is safe to click: # for all but http and https."""
    return url if url.lower().startswith(("http://", "https://")) else "#"


def make_query_address(url: str, field: str) -> str:
    """Return the address of the answers to `link:URL` or `related:URL`."""
    value = f'"{url}"' if set(url) & set(" ()") else url
    return f"/search?{encode_parameters({'q': f'{field}:{value}'})}"


def ends_mid_sentence(text: str) -> bool:
    """Say whether a piece of text was cut off before the end of a sentence."""
    return not text.rstrip(_CLOSING).endswith(_ENDS)


def begins_mid_sentence(text: str) -> bool:
    """Say whether a piece of text begins within a sentence: with a small letter, or punctuation that follows words."""
    return text[:1].islower() or text.startswith(_FOLLOWS)
