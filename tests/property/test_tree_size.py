"""What is counted before a page is parsed is never less than what the parser makes of it."""

from hypothesis import given, settings
from hypothesis import strategies as st
from turbohtml import parse

from gossamer.net.html import parser_limits
from gossamer.net.html.parser_limits import limit_source
from gossamer.net.html.scanner.find_excess import find_excess

FORMATTING = ["a", "b", "big", "code", "em", "font", "i", "nobr", "s", "small", "strike", "strong", "tt", "u"]
OTHERS = [
    "p",
    "div",
    "table",
    "tr",
    "td",
    "th",
    "caption",
    "colgroup",
    "col",
    "tbody",
    "object",
    "marquee",
    "svg",
    "math",
    "desc",
    "foreignObject",
    "title",
    "style",
    "script",
    "textarea",
    "xmp",
    "template",
    "select",
    "option",
    "button",
    "li",
    "ul",
    "dd",
    "dl",
    "h1",
    "h2",
    "form",
    "span",
    "br",
    "img",
    "input",
    "body",
    "html",
    "selectedcontent",
    "ruby",
    "rt",
    "frameset",
    "noscript",
    "iframe",
    "mi",
    "annotation-xml",
    "path",
    "g",
    "x-y",
    "address",
    "plaintext",
]
ATTRIBUTES = ("", "", " a{}", " a{} b{} c{}", " size={}", ' class="x{}>"', "/", " /", ' a=">')
TEXTS = (
    "x",
    " ",
    "<",
    "&",
    "\0",
    "-->",
    "<!--",
    "--!>",
    "<![CDATA[",
    "]]>",
    "'",
    '"',
    "<?x>",
    "</>",
    "</b\0>",
)

names = st.sampled_from(FORMATTING) | st.sampled_from(OTHERS)
tokens = (
    st.builds("<{}{}>".format, names, st.sampled_from(ATTRIBUTES))
    | st.builds("</{}>".format, names)
    | st.sampled_from(TEXTS)
)
# Numbered formatting that is left open multiplies: few units, repeated often, show it.
dense = (
    st.builds("<{} a{{}}>".format, st.sampled_from(FORMATTING))
    | st.builds("<{}>".format, st.sampled_from(("p", "div", "li", "td", "object", "button", "table", "h1")))
    | tokens
)


def repeat(units: list[str], times: int) -> str:
    return "".join(unit.replace("{}", str(at)) for at in range(times) for unit in units)


pages = st.builds(
    repeat, st.lists(tokens, min_size=1, max_size=14), st.sampled_from([1, 10, 60])
) | st.builds(repeat, st.lists(dense, min_size=2, max_size=6), st.just(150))
# An element may bring two others that are implied (tbody and tr), and every page has three.
IMPLIED, ALWAYS = 3, 3


def count_least(source: bytes, is_excess: object) -> int:
    """Return the lowest limit that a page does not exceed."""
    low, high = 0, 1 << 24
    while low < high:
        middle = (low + high) // 2
        if is_excess(source, middle):  # type: ignore[operator]
            low = middle + 1
        else:
            high = middle
    return low


@settings(max_examples=400, deadline=None)
@given(pages)
def test_no_tree_is_larger_than_what_is_counted(page: str) -> None:
    source = page.encode()
    if find_excess(source, 1 << 60, 1 << 60) >= 0:
        return  # what follows cannot be known: the page is simplified
    nodes = count_least(source, lambda each, most: find_excess(each, most, 1 << 60) >= 0)
    copies = count_least(source, lambda each, most: find_excess(each, 1 << 60, most) >= 0)
    elements = parse(page, allow_declarative_shadow_roots=False).find_all()
    assert len(elements) <= IMPLIED * nodes + copies + ALWAYS
    attributes = page.count(" ") + page.count("/") + page.count('"') + page.count("'") + page.count("=")
    assert sum(len(element.attrs) for element in elements) <= 4 * (attributes + copies) + 4


@settings(max_examples=200, deadline=None)
@given(pages)
def test_any_page_can_be_limited(page: str) -> None:
    limited = limit_source(page.encode())
    # The count gives up where raw text in a drawing may be mark-up; of a short page, that is no matter.
    is_small = parser_limits._is_too_small_for_harm(page.encode())
    assert find_excess(limited.source, 200_000, 200_000) < 0 or limited.reduced or is_small
    parse(limited.source.decode("utf-8", "replace"))
