"""Inline the archived stylesheets, images and fonts of a page into its archived copy.

The copy then loads nothing, not even from this server, and its policy can block all requests: a hostile stylesheet
cannot load another sheet, or an image whose address reveals the content of a field.
"""

import re
from base64 import b64encode

from gossamer.crawl.from_archive.archived_pages import decode_content
from gossamer.errors import BadUrl
from gossamer.net import encoding, url
from gossamer.net.html.parse_tree import Element, Tree, find_elements
from gossamer.records import Exchange
from gossamer.store.archive.archive_reader import ArchiveReader, WarcPosition
from gossamer.store.batch import Store

_OK = 200
_SHOWN = ("image", "font")
_CONNECTING = frozenset({"preconnect", "dns-prefetch"})
# A browser has to read it all as one page; assets beyond this size are left out.
_MOST_CHARACTERS = 16 << 20
_MOST_LOOK_UPS = 1_000
_MOST_REDIRECTS = 5
# How deep sheets may import other sheets.
_MOST_IMPORTS = 4
_MEDIA_TYPE = re.compile(r"[\w.+-]+/[\w.+-]+")
# Possessive quantifiers: a sheet of nothing but beginnings is read in linear time.
_REFERENCE = re.compile(
    r"""@import\s++(?:url\(\s*+)?+["']?+(?P<sheet>[^\s()"';]++)["']?+\s*+\)?+(?P<media>[^;"'@]{0,200}+);"""
    r"""|url\(\s*+(?:"(?P<quoted>[^"\n]*+)"|'(?P<single>[^'\n]*+)'|(?P<bare>[^\s()"']*+))\s*+\)""",
    re.IGNORECASE,
)
_NO_MEDIA = ("layer", "supports")


class AssetInliner:
    """Inlines the archived assets of one page, up to a limit."""

    def __init__(self, store: Store, archive: ArchiveReader, most_characters: int = _MOST_CHARACTERS) -> None:
        self._store = store
        self._archive = archive
        self._characters_left = most_characters
        self._data_urls: dict[str, str] = {}
        self._look_ups = 0
        self._wanted: dict[int, bool] = {}
        """By asset that the page refers to: whether the archive has it."""

    @property
    def wanted(self) -> int:
        """How many assets the page refers to."""
        return len(self._wanted)

    @property
    def archived(self) -> int:
        """How many of these the archive has."""
        return sum(self._wanted.values())

    def inline(self, tree: Tree, base: str) -> bool:
        """Inline the archived assets of a page into its tree; say whether anything changed."""
        changes = [
            *(_remove_hint(link) for link in find_elements(tree, "link")),
            *(_remove_policy(meta) for meta in find_elements(tree, "meta")),
            # Before linked sheets become <style> elements, whose references are relative to the sheet.
            *(self._inline_in_style(style, base) for style in find_elements(tree, "style")),
            *(self._inline_sheet(link, base) for link in find_elements(tree, "link")),
            *(self._inline_icon(link, base) for link in find_elements(tree, "link")),
            *(self._inline_in_attribute(one, base) for one in tree.select("[style*='url(' i]")),
            *(
                self._inline_image(one, "src", base)
                for tag in ("img", "input")
                for one in find_elements(tree, tag)
            ),
            *(self._inline_image(one, "background", base) for one in tree.select("[background]")),
        ]
        return any(changes)

    def _inline_sheet(self, link: Element, base: str) -> bool:
        """Replace a link to a stylesheet by the stylesheet."""
        relations = _list_relations(link)
        if "stylesheet" not in relations or "alternate" in relations:
            return False
        sheet = self._read_sheet(_get_attribute(link, "href"), base, ())
        if sheet is None:
            return False
        style = Element("style", {"media": _get_attribute(link, "media") or "all"})
        style.set_text(_escape_end_tag(sheet))
        link.replace_with(style)
        return True

    def _inline_icon(self, link: Element, base: str) -> bool:
        data = (
            self._make_data_url(_get_attribute(link, "href"), base) if "icon" in _list_relations(link) else ""
        )
        if data:
            link.attrs["href"] = data
        return bool(data)

    def _inline_in_style(self, style: Element, base: str) -> bool:
        before = style.text
        after = self._inline_css(before, base, ())
        if after != before:
            style.set_text(_escape_end_tag(after))
        return after != before

    def _inline_in_attribute(self, element: Element, base: str) -> bool:
        before = _get_attribute(element, "style")
        after = self._inline_css(before, base, ())
        if after != before:
            element.attrs["style"] = after
        return after != before

    def _inline_image(self, element: Element, name: str, base: str) -> bool:
        data = self._make_data_url(_get_attribute(element, name), base)
        if not data:
            return False
        element.attrs[name] = data
        # The browser would prefer these, and cannot load them.
        if "srcset" in element.attrs:
            del element.attrs["srcset"]
        picture = element.closest("picture")
        for source in picture.find_all("source") if picture is not None else ():
            source.decompose()
        return True

    def _read_sheet(self, address: str, base: str, within: tuple[str, ...]) -> str | None:
        """Return a stylesheet with its assets inlined; `within` are the sheets that import it, to stop circular imports."""
        found = self._find(address, base) if len(within) <= _MOST_IMPORTS else None
        if found is None or found[0] != "style" or found[1].url in within:
            return None
        _, exchange = found
        text, _ = encoding.decode(exchange.body, dict(exchange.headers).get("content-type", ""))
        self._characters_left -= len(text)
        return self._inline_css(text, exchange.url, (*within, exchange.url))

    def _inline_css(self, text: str, base: str, within: tuple[str, ...]) -> str:
        """Inline the assets of a stylesheet; references to missing assets stay, and are blocked by the browser."""

        def replace(match: re.Match[str]) -> str:
            if match["sheet"] is None:
                data = self._make_data_url(match["quoted"] or match["single"] or match["bare"] or "", base)
                return f'url("{data}")' if data else match[0]
            sheet = self._read_sheet(match["sheet"], base, within)
            if sheet is None:
                return match[0]
            media = match["media"].strip()
            return f"@media {media} {{{sheet}}}" if media and not media.startswith(_NO_MEDIA) else sheet

        return _REFERENCE.sub(replace, text)

    def _make_data_url(self, address: str, base: str) -> str:
        """Return an image or a font as a data URL; "" if it is not in the archive, or too large."""
        if not address or address.startswith(("data:", "#")):
            return ""
        key = f"{base}\n{address}"
        if key not in self._data_urls:
            found = self._find(address, base)
            self._data_urls[key] = _to_data_url(found[1]) if found is not None and found[0] in _SHOWN else ""
        data = self._data_urls[key]
        if len(data) > self._characters_left:
            return ""
        self._characters_left -= len(data)
        return data

    def _find(self, address: str, base: str) -> tuple[str, Exchange] | None:
        """Return the kind and the archived response of an address; None if there is none."""
        self._look_ups += 1
        if self._look_ups > _MOST_LOOK_UPS:
            return None
        try:
            number = url.page_id(url.canonical(address, base))
        except BadUrl:
            return None
        found = self._read_archived(number)
        self._wanted[number] = found is not None
        return found

    def _read_archived(self, number: int) -> tuple[str, Exchange] | None:
        page = self._store.page(number)
        for _ in range(_MOST_REDIRECTS):
            if page is not None:
                break
            target = next(
                (one.target for one in self._store.links_from(number) if one.type == "redirect"), None
            )
            if target is None:
                break
            number, page = target, self._store.page(target)
        if page is None or page.status != _OK or not page.archive or self._is_too_large(page.body_bytes):
            return None
        exchange = self._archive.read(WarcPosition(page.warc, page.warc_offset), decode_content)
        if exchange is None or self._is_too_large(len(exchange.body)):
            return None
        return page.kind, exchange

    def _is_too_large(self, size_bytes: int) -> bool:
        """Say whether this many bytes, in base 64, exceed the limit."""
        return size_bytes * 4 // 3 > self._characters_left


def _remove_hint(link: Element) -> bool:
    """Remove a link that makes the browser connect somewhere without loading anything: no policy forbids that."""
    connects = not _CONNECTING.isdisjoint(_list_relations(link))
    if connects:
        link.decompose()
    return connects


def _remove_policy(meta: Element) -> bool:
    """Remove a policy of the page itself, which would block inlined images; that of the copy allows nothing else."""
    is_policy = _get_attribute(meta, "http-equiv").strip().lower() == "content-security-policy"
    if is_policy:
        meta.decompose()
    return is_policy


def _list_relations(link: Element) -> list[str]:
    return [word.lower() for word in link.attrs.get("rel") or ()]


def _get_attribute(element: Element, name: str) -> str:
    value = element.attrs.get(name)
    return value if isinstance(value, str) else ""


def _to_data_url(exchange: Exchange) -> str:
    content_type = dict(exchange.headers).get("content-type", "").partition(";")[0].strip().lower()
    media_type = content_type if _MEDIA_TYPE.fullmatch(content_type) else "application/octet-stream"
    return f"data:{media_type};base64,{b64encode(exchange.body).decode('ascii')}"


def _escape_end_tag(sheet: str) -> str:
    """Escape end tags, so that a sheet cannot end its <style> element."""
    return sheet.replace("</", "<\\/")
