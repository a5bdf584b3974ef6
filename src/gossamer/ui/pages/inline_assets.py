"""The looks of a copy: stylesheets, pictures and fonts, as far as the archive has them, put into the page itself.

Nothing has to be loaded for that, not even from this server, so that a browser can still be told that a copy may load
nothing: whatever a hostile stylesheet asks for (another sheet, a picture whose address tells what stands in a field), it
asks in vain.
"""

import re
from base64 import b64encode

from gossamer.crawl.archive.archived_pages import decode_content
from gossamer.errors import BadUrl
from gossamer.net import encoding, url
from gossamer.net.html.parse_tree import Element, Tree, find_elements, parse_page
from gossamer.records import Exchange
from gossamer.store.archive.archive_reader import ArchiveReader, WarcPosition
from gossamer.store.batch import Store

_OK = 200
_SHOWN = ("image", "font")
_CALLS = frozenset({"preconnect", "dns-prefetch"})
# A browser has to read it all as one page; what is beyond is left out.
_MOST_CHARACTERS = 16 << 20
_MOST_LOOKED_FOR = 1_000
# Sheets that import sheets that import sheets.
_MOST_IMPORTS = 4
_MEDIA_TYPE = re.compile(r"[\w.+-]+/[\w.+-]+")
# Each part ends at what the next could begin with: a sheet of nothing but openings is read once.
_REFERENCE = re.compile(
    r"""@import\s++(?:url\(\s*+)?+["']?+(?P<sheet>[^\s()"';]++)["']?+\s*+\)?+(?P<media>[^;"'@]{0,200}+);"""
    r"""|url\(\s*+(?:"(?P<quoted>[^"\n]*+)"|'(?P<single>[^'\n]*+)'|(?P<bare>[^\s()"']*+))\s*+\)""",
    re.IGNORECASE,
)
_NO_MEDIA = ("layer", "supports")


class Looks:
    """What the archive has of the looks of one page. It may be large, but not without end."""

    def __init__(self, store: Store, kept: ArchiveReader, most_characters: int = _MOST_CHARACTERS) -> None:
        self._store = store
        self._kept = kept
        self._characters_left = most_characters
        self._as_data: dict[str, str] = {}
        self._looked_for = 0
        self._wanted: dict[int, bool] = {}
        """What the page refers to, and whether it is at hand."""

    @property
    def wanted(self) -> int:
        """How many things a page refers to for its looks."""
        return len(self._wanted)

    @property
    def at_hand(self) -> int:
        """How many of them the archive has."""
        return sum(self._wanted.values())

    def dressed(self, text: str, base: str) -> str:
        """Return the elements of a page with all of its looks that are at hand; "" if nothing is to be changed."""
        tree = parse_page(text)
        changes = [
            *(_hushed(link) for link in find_elements(tree, "link")),
            # Before sheets become such elements, which refer to things from where they stood.
            *(self._rewritten(style, base) for style in find_elements(tree, "style")),
            *(self._with_sheet(link, base) for link in find_elements(tree, "link")),
            *(self._styled(one, base) for one in tree.select("[style*='url(' i]")),
            *(
                self._pictured(one, "src", base)
                for tag in ("img", "input")
                for one in find_elements(tree, tag)
            ),
            *(self._pictured(one, "background", base) for one in tree.select("[background]")),
        ]
        return _html_of(tree) if any(changes) else ""

    def _with_sheet(self, link: Element, base: str) -> bool:
        """Let a stylesheet stand in the page instead of a link to it."""
        said = [word.lower() for word in link.attrs.get("rel") or ()]
        if "stylesheet" not in said or "alternate" in said:
            return False
        sheet = self._sheet(_attribute(link, "href"), base, ())
        if sheet is None:
            return False
        style = Element("style", {"media": _attribute(link, "media") or "all"})
        style.set_text(_shut_in(sheet))
        link.replace_with(style)
        return True

    def _rewritten(self, style: Element, base: str) -> bool:
        before = style.text
        after = self._css(before, base, ())
        if after != before:
            style.set_text(_shut_in(after))
        return after != before

    def _styled(self, element: Element, base: str) -> bool:
        before = _attribute(element, "style")
        after = self._css(before, base, ())
        if after != before:
            element.attrs["style"] = after
        return after != before

    def _pictured(self, element: Element, name: str, base: str) -> bool:
        data = self._data(_attribute(element, name), base)
        if not data:
            return False
        element.attrs[name] = data
        # These would be chosen before, and cannot be loaded.
        if "srcset" in element.attrs:
            del element.attrs["srcset"]
        picture = element.closest("picture")
        for source in picture.find_all("source") if picture is not None else ():
            source.decompose()
        return True

    def _sheet(self, address: str, base: str, within: tuple[str, ...]) -> str | None:
        """Return a stylesheet with what it refers to; `within` are those that import it, which it does not import again."""
        found = self._found(address, base) if len(within) <= _MOST_IMPORTS else None
        if found is None or found[0] != "style" or found[1].url in within:
            return None
        _, exchange = found
        text, _ = encoding.decode(exchange.body, dict(exchange.headers).get("content-type", ""))
        self._characters_left -= len(text)
        return self._css(text, exchange.url, (*within, exchange.url))

    def _css(self, text: str, base: str, within: tuple[str, ...]) -> str:
        """Put what a stylesheet refers to into it; what is not at hand stays as it is, and is not loaded."""

        def at_hand(match: re.Match[str]) -> str:
            if match["sheet"] is None:
                data = self._data(match["quoted"] or match["single"] or match["bare"] or "", base)
                return f'url("{data}")' if data else match[0]
            sheet = self._sheet(match["sheet"], base, within)
            if sheet is None:
                return match[0]
            media = match["media"].strip()
            return f"@media {media} {{{sheet}}}" if media and not media.startswith(_NO_MEDIA) else sheet

        return _REFERENCE.sub(at_hand, text)

    def _data(self, address: str, base: str) -> str:
        """Return a picture or a font as an address that holds it; "" if it is not at hand, or too much."""
        if not address or address.startswith(("data:", "#")):
            return ""
        key = f"{base}\n{address}"
        if key not in self._as_data:
            found = self._found(address, base)
            self._as_data[key] = _as_data(found[1]) if found is not None and found[0] in _SHOWN else ""
        data = self._as_data[key]
        if len(data) > self._characters_left:
            return ""
        self._characters_left -= len(data)
        return data

    def _found(self, address: str, base: str) -> tuple[str, Exchange] | None:
        """Return what the archive has at an address, and what kind of thing that is."""
        self._looked_for += 1
        if self._looked_for > _MOST_LOOKED_FOR:
            return None
        try:
            number = url.page_id(url.canonical(address, base))
        except BadUrl:
            return None
        found = self._kept_at(number)
        self._wanted[number] = found is not None
        return found

    def _kept_at(self, number: int) -> tuple[str, Exchange] | None:
        page = self._store.page(number)
        if page is None or page.status != _OK or not page.archive or self._is_too_much(page.body_bytes):
            return None
        exchange = self._kept.read(WarcPosition(page.warc, page.warc_offset), decode_content)
        if exchange is None or self._is_too_much(len(exchange.body)):
            return None
        return page.kind, exchange

    def _is_too_much(self, size_bytes: int) -> bool:
        """Say whether there is no room for so much, written in base 64."""
        return size_bytes * 4 // 3 > self._characters_left


def _hushed(link: Element) -> bool:
    """Take out what asks a browser to call somewhere without loading anything: no policy forbids that."""
    calls = not _CALLS.isdisjoint(word.lower() for word in link.attrs.get("rel") or ())
    if calls:
        link.decompose()
    return calls


def _attribute(element: Element, name: str) -> str:
    told = element.attrs.get(name)
    return told if isinstance(told, str) else ""


def _as_data(exchange: Exchange) -> str:
    told = dict(exchange.headers).get("content-type", "").partition(";")[0].strip().lower()
    media_type = told if _MEDIA_TYPE.fullmatch(told) else "application/octet-stream"
    return f"data:{media_type};base64,{b64encode(exchange.body).decode('ascii')}"


def _shut_in(sheet: str) -> str:
    """Keep a sheet from ending the element that it stands in."""
    return sheet.replace("</", "<\\/")


def _html_of(tree: Tree) -> str:
    root = tree.root
    return root.html if root is not None else ""
