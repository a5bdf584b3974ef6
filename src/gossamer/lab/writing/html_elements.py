"""Single elements of HTML: links of every type, images, metas."""

from html import escape

from gossamer.lab.page_plan import PlannedLink
from gossamer.records import LinkType

_ELEMENTS: dict[LinkType, str] = {
    "frame": '<frame src="%s">\n',
    "iframe": '<iframe src="%s" width="300" height="200"></iframe>',
    "form": '<form action="%s" method="get"><input type="text" name="q"><input type="submit"></form>',
}
"""Links that need nothing but their href."""


def escaped(text: str) -> str:
    """Escape text for HTML; nearly all of it is plain words, which costs only a look."""
    return escape(text, quote=False) if "&" in text or "<" in text else text


def meta_tag(name: str, content: str) -> str:
    """Write a meta, if there is something to say."""
    return f'<meta name="{name}" content="{escape(content)}">\n' if content else ""


def link_tag(link: PlannedLink, anchor: str, anchor_tag: str) -> str:
    """Write a link as its type asks; "" for a refresh, which the head writes, and for types of no page."""
    href, rel = escape(link.href), f' rel="{escape(link.rel)}"' if link.rel else ""
    match link.type:
        case "a":
            return anchor_tag % (href, rel, _image(link, anchor) if link.image else escaped(anchor))
        case "area":
            left = link.key % 300
            coords = f"{left},{left},{left + 40},{left + 40}"
            return f'<area shape="rect" coords="{coords}" href="{href}" alt="{escape(anchor)}"{rel}>\n'
        case "link":
            return f'<link href="{href}"{rel}>\n'
        case "frame" | "iframe" | "form":
            return _ELEMENTS[link.type] % href
        case _:
            return ""


def _image(link: PlannedLink, anchor: str) -> str:
    return f'<img src="/images/{link.key & 0xFFFF:04x}.gif" alt="{escape(anchor)}">'
