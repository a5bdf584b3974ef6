"""Make the response of a page that needs JavaScript from the page as it is shown in the end."""

import json
import re

import msgspec

from gossamer.lab.page_plan import PagePlan
from gossamer.lab.scripts.page_scripts import ADDRESSES_SCRIPT
from gossamer.lab.scripts.script_kinds import IN_RESPONSE
from gossamer.lab.seeded_random import mix, salt

_BODY = re.compile(r"(.*?<body[^>]*>\n?)(.*)(</body>.*)", re.IGNORECASE | re.DOTALL)
_ANCHOR = re.compile(r'(<a) href="([^"]*)"', re.IGNORECASE)
_PICTURE = salt("pictures of lazy pages")
_PICTURES = 3


class SplitPage(msgspec.Struct, frozen=True):
    """The HTML of a page, in three parts."""

    start: str
    body: str
    end: str


def split_page(html: str) -> SplitPage:
    """Split a page at the ends of its body."""
    found = _BODY.fullmatch(html)
    if found is None:
        raise ValueError(html[:200])
    return SplitPage(*found.groups())


def make_shell(kind: str, html: str, plan: PagePlan, number: int) -> str:
    """Return the response of a page of this kind."""
    page = split_page(html)
    script = f'<script src="/scripts/{kind}.js"></script>\n'
    if kind == "links":
        body = _hide_addresses(page.body)
    elif kind == "lazy":
        body = page.body + _write_pictures(plan.key) + script
    elif kind in IN_RESPONSE:
        body = page.body + script
    else:
        source = f"/scripts/{'late' if kind == 'slow' else 'page'}/{number}"
        body = f'<div id="root"></div>\n<script src="/scripts/{kind}.js" data-from="{source}"></script>\n'
    return page.start + body + page.end


def list_pictures(kind: str, key: int) -> tuple[str, ...]:
    """Return the paths of the pictures that only a browser loads, and only when it scrolls."""
    if kind != "lazy":
        return ()
    return tuple(f"/scripts/{mix(key, _PICTURE + n) & 0xFFFFFF:06x}.svg" for n in range(_PICTURES))


def draw_picture(colour: str) -> str:
    """Return a picture of one colour and a circle, as SVG."""
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" width="320" height="200">'
        f'<rect width="320" height="200" fill="#{colour}"/><circle cx="160" cy="100" r="70" fill="#fff"/></svg>'
    )


def _write_pictures(key: int) -> str:
    """Return the pictures of a lazy page, below the end of any screen."""
    *lazy, late = list_pictures("lazy", key)
    size = 'width="320" height="200" alt=""'
    shown = "".join(f'<p><img loading="lazy" src="{path}" {size}></p>\n' for path in lazy)
    return f'<div style="height: 3000px"></div>\n{shown}<p><img id="late" data-picture="{late}" {size}></p>\n'


def _hide_addresses(body: str) -> str:
    """Move the addresses of links into a script."""
    addresses: dict[str, int] = {}

    def replace(found: re.Match[str]) -> str:
        place = addresses.setdefault(found[2], len(addresses))
        return f'{found[1]} data-n="{place}"'

    hidden = _ANCHOR.sub(replace, body)
    # Addresses were escaped for HTML; in a script they stand as they are.
    plain = [address.replace("&amp;", "&") for address in addresses]
    return hidden + ADDRESSES_SCRIPT % json.dumps(plain).replace("</", "<\\/")
