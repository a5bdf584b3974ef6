"""HTML, and the text that a reader sees of it, from what was written."""

from collections.abc import Callable
from html import escape

import msgspec

from gossamer.lab.page_plan import PagePlan
from gossamer.lab.writing.html_elements import escaped, link_tag, meta_tag
from gossamer.lab.writing.page_templates import STYLES, BlockKind, BlockTags
from gossamer.lab.writing.phrases import Phrasebook

Run = str | int
"""A stretch of text, or the position of a link in the plan."""

HEADINGS = frozenset(("h1", "h2", "h3"))


class ContentBlock(msgspec.Struct, frozen=True, gc=False):
    """A heading, paragraph, list, table … of the main text."""

    kind: BlockKind
    items: tuple[tuple[Run, ...], ...]
    """One for a paragraph; one for each entry of a list or cell of a table."""
    columns: int = 1
    image: str = ""
    alt: str = ""


class UnstyledPage(msgspec.Struct, frozen=True):
    """A page in words, before it has a look."""

    plan: PagePlan
    title: str
    language: Phrasebook
    pieces: tuple[ContentBlock, ...]
    """The main text."""
    filler: tuple[ContentBlock, ...] = ()
    """Repeated at the end of the main text until the page is as large as planned."""
    anchors: tuple[str, ...] = ()
    """Anchor text of each planned link, "" where its kind of link has none."""
    head: tuple[int, ...] = ()
    menu: tuple[int, ...] = ()
    foot: tuple[int, ...] = ()
    frames: tuple[int, ...] = ()
    description: str = ""
    boilerplate: tuple[str, ...] = ()
    """A slogan and the sentences of the news box; none on a bare page."""


class Rendered(msgspec.Struct, frozen=True):
    """A page as bytes will carry it, and as a reader sees it."""

    html: str
    text: str
    main_text: str
    headings: tuple[str, ...]
    order: tuple[int, ...]
    """Positions in the plan's links, in document order."""


def render(outline: UnstyledPage) -> Rendered:
    """Build the page in the style of its host."""
    page = _PageRenderer(outline)
    if outline.plan.frameset or outline.frames:
        html = page.frameset()
    else:
        html = page.body() if outline.boilerplate else page.bare()
    if page.style.old_head and outline.language.script == "LATIN" and _honest(outline.plan):
        html = html.encode("ascii", "xmlcharrefreplace").decode("ascii")
    return Rendered(
        html, "\n".join(page.lines), "\n".join(page.main_lines), tuple(page.headings), tuple(page.order)
    )


def _honest(plan: PagePlan) -> bool:
    """Tell whether the page declares its encoding truly; a lie about pure ASCII would do no harm."""
    return plan.encoding.lower() == plan.declared_encoding.lower()


class _PageRenderer:
    """One page being built: HTML is returned, visible lines, headings and link order are collected."""

    def __init__(self, outline: UnstyledPage) -> None:
        self.outline = outline
        self.style = STYLES[outline.plan.host_key % len(STYLES)]
        self.lines: list[str] = []
        self.main_lines: list[str] = []
        self.headings: list[str] = []
        self.order: list[int] = []
        pairs = list(zip(outline.plan.links, outline.anchors, strict=True))
        self.link_html = [link_tag(link, anchor, self.style.anchor) for link, anchor in pairs]
        self.link_text = [anchor if link.type == "a" and not link.image else "" for link, anchor in pairs]

    def body(self) -> str:
        """Fill the host's template, section by section, in document order."""
        parts = list(self.style.parts)
        for place in range(1, len(parts), 2):
            parts[place] = _SECTIONS[parts[place]](self)
        return "".join(parts)

    def frameset(self) -> str:
        """Build a page of frames; who sees frames does not see what stands in noframes."""
        parts = [_FRAMESET_START % (self.html_attributes(), self.head())]
        for place in self.outline.frames:
            parts.append(self.link_html[place])
            self.order.append(place)
        parts.append(f"<noframes><body>\n{self.menu()}{self.main()}{self.foot()}</body></noframes>\n")
        self.lines, self.main_lines, self.headings = [], [], []
        return "".join((*parts, "</frameset>\n</html>\n"))

    def bare(self) -> str:
        """Build a page without boilerplate, as servers write their own notices."""
        return _BARE % (self.html_attributes(), self.head(), self.main())

    def runs(self, runs: tuple[Run, ...]) -> str:
        """Write text and links; the visible line is kept."""
        html = ""
        line = ""
        for run in runs:
            if isinstance(run, str):
                html += escaped(run)
                line += run
            else:
                html += self.link_html[run]
                line += self.link_text[run]
                self.order.append(run)
        # Images among the links leave a gap where their text would be.
        if line := " ".join(line.split()) if "  " in line else line.strip():
            self.lines.append(line)
        return html

    def line(self, text: str) -> str:
        """Write a line of boilerplate."""
        return self.runs((text,)) if text else ""

    def heading(self, level: BlockKind, text: str) -> str:
        """Write a heading."""
        self.headings.append(text)
        tags = self.style.tags[level]
        return f"{tags.open}{self.line(text)}{tags.close}"

    def links(self, places: tuple[int, ...], tags: BlockTags) -> str:
        """Write the links of a menu or footer."""
        if not places:
            return ""
        separator = self.style.separator
        if separator.isspace():
            items = [f"{tags.item_open}{self.runs((place,))}{tags.item_close}" for place in places]
            return f"{tags.open}{separator.join(items)}{tags.close}"
        runs = [run for place in places for run in (separator, place)]
        return f"{tags.open}{self.runs(tuple(runs[1:]))}{tags.close}"

    def piece(self, piece: ContentBlock) -> str:
        """Write one piece of the main text."""
        tags = self.style.tags[piece.kind]
        if piece.kind in HEADINGS:
            return self.heading(piece.kind, str(piece.items[0][0]))
        opening = tags.open
        if piece.kind == "image":
            opening = opening % (escape(piece.image), escape(piece.alt))
        items = [f"{tags.item_open}{self.runs(item)}{tags.item_close}" for item in piece.items]
        if piece.columns > 1:
            rows = range(0, len(items), piece.columns)
            items = [f"<tr>{''.join(items[row : row + piece.columns])}</tr>\n" for row in rows]
        return f"{opening}{''.join(items)}{tags.close}"

    def html_attributes(self) -> str:
        """Declare language and direction."""
        direction = ' dir="rtl"' if self.outline.language.right_to_left else ""
        plan = self.outline.plan
        declared = plan.language if plan.declared_language is None else plan.declared_language
        return (f' lang="{escape(declared)}"' if declared else "") + direction

    def head(self) -> str:
        """Write what stands in the head; links there come in the plan's order."""
        outline, plan = self.outline, self.outline.plan
        charset = _OLD_CHARSET if self.style.old_head else _CHARSET
        lines = [
            charset % escape(plan.declared_encoding) if plan.declared_encoding else "",
            f'<base href="{escape(plan.base)}">\n' if plan.base else "",
            f"<title>{escaped(outline.title)}</title>\n",
            meta_tag("description", outline.description),
            meta_tag("robots", plan.robots_meta),
            f'<meta http-equiv="refresh" content="{escape(plan.refresh)}">\n' if plan.refresh else "",
            f'<link rel="canonical" href="{escape(plan.canonical)}">\n' if plan.canonical else "",
            *(self.link_html[place] for place in outline.head),
        ]
        self.order.extend(outline.head)
        return "".join(lines)

    def menu(self) -> str:
        """Write the navigation."""
        return self.links(self.outline.menu, self.style.menu)

    def aside(self) -> str:
        """Write the box beside the main text, the same on each page of a host."""
        tags = self.style.tags["p"]
        heading = self.heading("h3", self.outline.language.news)
        rest = [f"{tags.open}{self.line(sentence)}{tags.close}" for sentence in self.outline.boilerplate[1:]]
        return heading + "".join(rest)

    def main(self) -> str:
        """Write the main text."""
        start = len(self.lines)
        html = "".join(map(self.piece, self.outline.pieces))
        if missing := max(0, self.outline.plan.large_bytes - len(html)):
            html += self.filled(missing)
        self.main_lines = self.lines[start:]
        return html

    def filled(self, missing: int) -> str:
        """Repeat the filler until so many characters are written: bytes are never fewer than characters."""
        start = len(self.lines)
        block = "".join(map(self.piece, self.outline.filler))
        times = -(-missing // len(block))
        self.lines += self.lines[start:] * (times - 1)
        return block * times

    def foot(self) -> str:
        """Write the links of the footer."""
        return self.links(self.outline.foot, self.style.foot)

    def crumbs(self) -> str:
        """Write where the page stands on its host."""
        outline = self.outline
        return self.line(
            " › ".join(filter(None, (outline.plan.host_name, outline.plan.topic, outline.title)))
        )

    def legal(self) -> str:
        """Write the last line of the page."""
        plan = self.outline.plan
        year, name = 1996 + plan.host_key % 29, f" {plan.host_name}." if plan.host_name else ""
        return self.line(f"© {year}{name} {self.outline.language.rights}.")


_SECTIONS: dict[str, Callable[[_PageRenderer], str]] = {
    "html": _PageRenderer.html_attributes,
    "head": _PageRenderer.head,
    "banner": lambda page: page.line(page.outline.plan.host_name),
    "slogan": lambda page: page.line(page.outline.boilerplate[0]),
    "crumbs": _PageRenderer.crumbs,
    "menu": _PageRenderer.menu,
    "aside": _PageRenderer.aside,
    "main": _PageRenderer.main,
    "cookies": lambda page: page.line(page.outline.language.cookies),
    "foot": _PageRenderer.foot,
    "legal": _PageRenderer.legal,
}

_FRAMESET_START = """<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 4.01 Frameset//EN">
<html%s>
<head>
%s</head>
<frameset cols="20%%,80%%">
"""
_BARE = """<!DOCTYPE html>
<html%s>
<head>
%s</head>
<body>
%s</body>
</html>
"""
_CHARSET = '<meta charset="%s">\n'
_OLD_CHARSET = '<meta http-equiv="Content-Type" content="text/html; charset=%s">\n'
