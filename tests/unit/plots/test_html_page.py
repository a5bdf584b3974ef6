"""HTML pages are self-contained and safe from hostile titles."""

from html.parser import HTMLParser

from gossamer.graph.structure.bowtie import Region
from gossamer.plots.bowtie import draw_bowtie
from gossamer.plots.canvas import encode_figure
from gossamer.plots.html_page import HtmlTable, Section, render_page

HOSTILE = "</td><script>alert(1)</script><img src=http://evil.example/ onerror=x> \" ' \x00\x1b\u202e &amp;"


class ParsedPage(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += attrs

    def handle_data(self, data: str) -> None:
        self.text += data


def parse_page(source: str) -> ParsedPage:
    parser = ParsedPage()
    parser.feed(source)
    return parser


def test_all_text_is_escaped() -> None:
    table = HtmlTable(HOSTILE, [HOSTILE, "number"], [(HOSTILE, "12.5%")])
    source = render_page(HOSTILE, [HOSTILE], [Section(HOSTILE, [table], [HOSTILE]), Section("b")])
    found = parse_page(source)
    assert not {"script", "img"} & set(found.tags)
    assert not any(name.startswith("on") or (name == "src") for name, _ in found.attributes)
    assert "<script>alert(1)</script>" in found.text
    assert "\x1b" not in source


def test_number_columns_are_right_aligned_and_captions_repeat_no_heading() -> None:
    rows = [("a", 1234567, "56,463 27.74%", "1.0"), ("b", 2, "", "no")]
    columns = ["name", "pages", "share", "mixed"]
    source = render_page(
        "p",
        [],
        [Section("Bow-tie", [HtmlTable("Bow-tie", columns, rows), HtmlTable("Other", columns, rows)])],
    )
    assert source.count('<th class="number">') == 2 * 2
    assert '<td class="number">1,234,567</td><td class="number">56,463 27.74%</td><td>1.0</td>' in source
    assert source.count("<caption>") == 1


def test_figures_are_inline_and_nothing_is_fetched() -> None:
    svg = encode_figure(draw_bowtie(dict.fromkeys(Region, 10)), "svg").decode()
    source = render_page("Report", [], [Section("Bow-tie", svg=svg)])
    assert source.count("<svg") == 1
    assert "<!DOCTYPE svg" not in source
    assert "<metadata>" not in source
    fetched = [
        value
        for name, value in parse_page(source).attributes
        if name in ("href", "src", "xlink:href") and value
    ]
    assert all(value.startswith("#") for value in fetched)
    assert "SCC" in parse_page(source).text
