"""Render a page as HTML, and collect its visible text, headings and link order."""

from collections.abc import Callable
from html import escape

import msgspec

from gossamer.lab.page_plan import PagePlan
from gossamer.lab.writing.html_elements import escape_text, write_link, write_meta
from gossamer.lab.writing.page_templates import STYLES, BlockKind, BlockTags
from gossamer.lab.writing.phrases import Phrasebook

Run = str | int
"""A piece of text, or the position of a link in the plan."""

HEADINGS = frozenset(("h1", "h2", "h3"))


class ContentBlock(msgspec.Struct, frozen=True, gc=False):
    """A block of the main text: heading, paragraph, list, table …"""

    kind: BlockKind
    items: tuple[tuple[Run, ...], ...]
    """One for a paragraph; one for each entry of a list or cell of a table."""
    columns: int = 1
    image: str = ""
    alt: str = ""


class UnstyledPage(msgspec.Struct, frozen=True):
    """A page in words, before the style of its host is applied."""

    plan: PagePlan
    title: str
    phrases: Phrasebook
    blocks: tuple[ContentBlock, ...]
    """The main text."""
    filler: tuple[ContentBlock, ...] = ()
    """Repeated at the end of the main text until the page is as large as planned."""
    anchors: tuple[str, ...] = ()
    """Anchor text of each planned link; "" for links that have none."""
    head: tuple[int, ...] = ()
    menu: tuple[int, ...] = ()
    foot: tuple[int, ...] = ()
    frames: tuple[int, ...] = ()
    description: str = ""
    boilerplate: tuple[str, ...] = ()
    """A slogan and the sentences of the news box; none on a bare page."""


class WrittenPage(msgspec.Struct, frozen=True):
    """A finished page, with the truth that a reader of its HTML should find."""

    title: str
    text: str
    """All visible text, one space between words, one line per block. Alternative texts and the noframes part are
    not visible."""
    main_text: str
    """The same without banner, navigation, sidebar and footer."""
    headings: tuple[str, ...]
    """In document order."""
    anchors: tuple[str, ...]
    """Anchor text of each planned link, in the plan's order; "" for links that have none."""
    html: str
    order: tuple[int, ...]
    """Positions in the plan's links, in document order."""


def render(page: UnstyledPage) -> WrittenPage:
    """Render a page in the style of its host."""
    renderer = _PageRenderer(page)
    if page.plan.frameset or page.frames:
        html = renderer.write_frameset()
    else:
        html = renderer.write_page() if page.boilerplate else renderer.write_bare_page()
    if renderer.style.old_head and page.phrases.script == "LATIN" and _declares_encoding(page.plan):
        html = html.encode("ascii", "xmlcharrefreplace").decode("ascii")
    return WrittenPage(
        title=page.title,
        text="\n".join(renderer.lines),
        main_text="\n".join(renderer.main_lines),
        headings=tuple(renderer.headings),
        anchors=page.anchors,
        html=html,
        order=tuple(renderer.order),
    )


def _declares_encoding(plan: PagePlan) -> bool:
    """Tell whether the page declares its true encoding; in pure ASCII a wrong one would have no effect."""
    return plan.encoding.lower() == plan.declared_encoding.lower()


class _PageRenderer:
    """Renders one page: methods return HTML and collect visible lines, headings and link order."""

    def __init__(self, page: UnstyledPage) -> None:
        self.page = page
        self.style = STYLES[page.plan.host_key % len(STYLES)]
        self.lines: list[str] = []
        self.main_lines: list[str] = []
        self.headings: list[str] = []
        self.order: list[int] = []
        pairs = list(zip(page.plan.links, page.anchors, strict=True))
        self.link_html = [write_link(link, anchor, self.style.anchor) for link, anchor in pairs]
        self.link_text = [anchor if link.type == "a" and not link.image else "" for link, anchor in pairs]

    def write_page(self) -> str:
        """Fill the host's template section by section, in document order."""
        parts = list(self.style.parts)
        for place in range(1, len(parts), 2):
            parts[place] = _SECTIONS[parts[place]](self)
        return "".join(parts)

    def write_frameset(self) -> str:
        """Return a page of frames; its noframes part is not visible."""
        parts = [_FRAMESET_START % (self.write_attributes(), self.write_head())]
        for place in self.page.frames:
            parts.append(self.link_html[place])
            self.order.append(place)
        parts.append(
            f"<noframes><body>\n{self.write_menu()}{self.write_main()}{self.write_footer()}</body></noframes>\n"
        )
        self.lines, self.main_lines, self.headings = [], [], []
        return "".join((*parts, "</frameset>\n</html>\n"))

    def write_bare_page(self) -> str:
        """Return a page without boilerplate, like the notices of servers."""
        return _BARE % (self.write_attributes(), self.write_head(), self.write_main())

    def write_runs(self, runs: tuple[Run, ...]) -> str:
        """Return text and links as HTML, and collect the visible line."""
        html = ""
        line = ""
        for run in runs:
            if isinstance(run, str):
                html += escape_text(run)
                line += run
            else:
                html += self.link_html[run]
                line += self.link_text[run]
                self.order.append(run)
        # An image as a link leaves a gap in the text.
        if line := " ".join(line.split()) if "  " in line else line.strip():
            self.lines.append(line)
        return html

    def write_line(self, text: str) -> str:
        """Return one line of text."""
        return self.write_runs((text,)) if text else ""

    def write_heading(self, level: BlockKind, text: str) -> str:
        """Return a heading."""
        self.headings.append(text)
        tags = self.style.tags[level]
        return f"{tags.open}{self.write_line(text)}{tags.close}"

    def write_links(self, places: tuple[int, ...], tags: BlockTags) -> str:
        """Return the links of a menu or footer."""
        if not places:
            return ""
        separator = self.style.separator
        if separator.isspace():
            items = [f"{tags.item_open}{self.write_runs((place,))}{tags.item_close}" for place in places]
            return f"{tags.open}{separator.join(items)}{tags.close}"
        runs = [run for place in places for run in (separator, place)]
        return f"{tags.open}{self.write_runs(tuple(runs[1:]))}{tags.close}"

    def write_block(self, block: ContentBlock) -> str:
        """Return one block of the main text."""
        tags = self.style.tags[block.kind]
        if block.kind in HEADINGS:
            return self.write_heading(block.kind, str(block.items[0][0]))
        opening = tags.open
        if block.kind == "image":
            opening = opening % (escape(block.image), escape(block.alt))
        items = [f"{tags.item_open}{self.write_runs(item)}{tags.item_close}" for item in block.items]
        if block.columns > 1:
            rows = range(0, len(items), block.columns)
            items = [f"<tr>{''.join(items[row : row + block.columns])}</tr>\n" for row in rows]
        return f"{opening}{''.join(items)}{tags.close}"

    def write_attributes(self) -> str:
        """Return the attributes of the html element: language and direction."""
        direction = ' dir="rtl"' if self.page.phrases.right_to_left else ""
        plan = self.page.plan
        declared = plan.language if plan.declared_language is None else plan.declared_language
        return (f' lang="{escape(declared)}"' if declared else "") + direction

    def write_head(self) -> str:
        """Return the content of the head; its links are in the plan's order."""
        page, plan = self.page, self.page.plan
        charset = _OLD_CHARSET if self.style.old_head else _CHARSET
        lines = [
            charset % escape(plan.declared_encoding) if plan.declared_encoding else "",
            f'<base href="{escape(plan.base)}">\n' if plan.base else "",
            f"<title>{escape_text(page.title)}</title>\n",
            write_meta("description", page.description),
            write_meta("robots", plan.robots_meta),
            write_meta("article:published_time", plan.published),
            f'<meta http-equiv="refresh" content="{escape(plan.refresh)}">\n' if plan.refresh else "",
            f'<link rel="canonical" href="{escape(plan.canonical)}">\n' if plan.canonical else "",
            *(self.link_html[place] for place in page.head),
        ]
        self.order.extend(page.head)
        return "".join(lines)

    def write_menu(self) -> str:
        """Return the navigation."""
        return self.write_links(self.page.menu, self.style.menu)

    def write_sidebar(self) -> str:
        """Return the box beside the main text, which is the same on every page of a host."""
        tags = self.style.tags["p"]
        heading = self.write_heading("h3", self.page.phrases.news)
        rest = [
            f"{tags.open}{self.write_line(sentence)}{tags.close}" for sentence in self.page.boilerplate[1:]
        ]
        return heading + "".join(rest)

    def write_main(self) -> str:
        """Return the main text."""
        start = len(self.lines)
        html = "".join(map(self.write_block, self.page.blocks))
        if missing := max(0, self.page.plan.large_bytes - len(html)):
            html += self.write_filler(missing)
        self.main_lines = self.lines[start:]
        return html

    def write_filler(self, missing: int) -> str:
        """Repeat the filler for at least `missing` characters, which are at least as many bytes."""
        start = len(self.lines)
        block = "".join(map(self.write_block, self.page.filler))
        times = -(-missing // len(block))
        self.lines += self.lines[start:] * (times - 1)
        return block * times

    def write_footer(self) -> str:
        """Return the links of the footer."""
        return self.write_links(self.page.foot, self.style.foot)

    def write_crumbs(self) -> str:
        """Return the breadcrumbs: host, topic and title."""
        page = self.page
        return self.write_line(" › ".join(filter(None, (page.plan.host_name, page.plan.topic, page.title))))

    def write_legal(self) -> str:
        """Return the last line of the page."""
        plan = self.page.plan
        year, name = 1996 + plan.host_key % 29, f" {plan.host_name}." if plan.host_name else ""
        return self.write_line(f"© {year}{name} {self.page.phrases.rights}.")


_SECTIONS: dict[str, Callable[[_PageRenderer], str]] = {
    "html": _PageRenderer.write_attributes,
    "head": _PageRenderer.write_head,
    "banner": lambda renderer: renderer.write_line(renderer.page.plan.host_name),
    "slogan": lambda renderer: renderer.write_line(renderer.page.boilerplate[0]),
    "crumbs": _PageRenderer.write_crumbs,
    "menu": _PageRenderer.write_menu,
    "aside": _PageRenderer.write_sidebar,
    "main": _PageRenderer.write_main,
    "cookies": lambda renderer: renderer.write_line(renderer.page.phrases.cookies),
    "foot": _PageRenderer.write_footer,
    "legal": _PageRenderer.write_legal,
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
