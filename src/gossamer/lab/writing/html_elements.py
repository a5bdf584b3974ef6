"""Write single HTML elements: links of every type, images, meta elements."""

from html import escape

from gossamer.lab.page_plan import PlannedLink
from gossamer.records import LinkType

_ELEMENTS: dict[LinkType, str] = {
    "frame": '<frame src="%s">\n',
    "iframe": '<iframe src="%s" width="300" height="200"></iframe>',
    "form": '<form action="%s" method="get"><input type="text" name="q"><input type="submit"></form>',
}
"""Elements of links that have only an href."""


def escape_text(text: str) -> str:
    """Escape text for HTML; most text has nothing to escape, so it is checked first."""
    return escape(text, quote=False) if "&" in text or "<" in text else text


def write_meta(name: str, content: str) -> str:
    """Return a meta element, or "" without content."""
    return f'<meta name="{name}" content="{escape(content)}">\n' if content else ""


def write_link(link: PlannedLink, anchor: str, anchor_tag: str) -> str:
    """Return the element for a link of any type; "" for a refresh, which the head contains, and for unknown types."""
    href, rel = escape(link.href), f' rel="{escape(link.rel)}"' if link.rel else ""
    match link.type:
        case "a":
            return anchor_tag % (href, rel, _write_image(link, anchor) if link.image else escape_text(anchor))
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


def _write_image(link: PlannedLink, anchor: str) -> str:
    return f'<img src="/images/{link.key & 0xFFFF:04x}.gif" alt="{escape(anchor)}">'
