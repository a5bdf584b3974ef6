"""Random pages and texts, from a seeded generator: mark-up in any order, words in any script, extreme lengths."""

import random

# One name of each kind that the scanner treats in its own way.
_TAGS = ["a", "address", "article", "b", "base", "blockquote", "body", "br", "button", "caption", "col", "colgroup", "dd", "div", "dl", "dt", "em", "fieldset", "font", "form", "frame", "frameset", "h1", "h2", "h6", "head", "hr", "html", "i", "iframe", "img", "input", "label", "li", "link", "main", "math", "meta", "nav", "nobr", "noscript", "object", "ol", "optgroup", "option", "p", "param", "plaintext", "pre", "rb", "ruby", "s", "script", "section", "select", "small", "span", "strong", "style", "sub", "summary", "svg", "table", "tbody", "td", "template", "textarea", "tfoot", "th", "thead", "title", "tr", "tt", "u", "ul", "var", "video", "wbr", "x-own"]  # fmt: skip
_ATTRIBUTES = (
    "href",
    "rel",
    "title",
    "alt",
    "src",
    "name",
    "content",
    "http-equiv",
    "lang",
    "charset",
    "class",
    "style",
    "id",
    "role",
    "itemprop",
    "hidden",
    "aria-hidden",
)
_VALUES = (
    "", "#", "/", "../a", "//h.example/b?c=d#e", "mailto:x@y", "javascript:0", "nofollow", "&amp;&#x41;&#0;&notin;&lt", "0;url=x",
    "noindex, nofollow", "refresh", "utf-8", "http://[::1", "\u0130\u03a3\ufffd\U0001f600", "a b\tc\nd", "%zz%41", "?" * 300,
    "display: none", "true", "navigation", "articleBody", "comment sidebar",
)  # fmt: skip
_REFERENCES = (
    "&amp;",
    "&lt",
    "&notin",
    "&#65;",
    "&#x110000;",
    "&#xD800;",
    "&bogus;",
    "&",
    "&#",
    "&CounterClockwiseContourIntegral;",
)
# Scripts, marks, capitals that grow in lower case, surrogates, controls, and what lies beyond the basic plane.
_RANGES = (
    (0x20, 0x7E), (0x20, 0x7E), (0x61, 0x7A), (0xC0, 0x24F), (0x300, 0x36F), (0x370, 0x3FF), (0x400, 0x4FF), (0x590, 0x6FF),
    (0x900, 0x97F), (0xE00, 0xEFF), (0x1000, 0x109F), (0x1780, 0x17FF), (0x1E00, 0x1EFF), (0x2000, 0x206F), (0x3041, 0x30FF),
    (0x4E00, 0x9FFF), (0xAC00, 0xD7A3), (0xD800, 0xDFFF), (0xE000, 0xF8FF), (0xFB00, 0xFFFF), (0x10000, 0x1F9FF),
    (0x20000, 0x33480), (0x0, 0x1F), (0x10FF00, 0x10FFFF),
)  # fmt: skip

LONGEST = 60_000
"""Characters of a page: sanitizers slow everything down, and long pages are measured elsewhere."""


def make_text(chance: random.Random) -> str:
    """Return a text of random words in one to three scripts; now and then a very long one, or one of a single word."""
    ranges = chance.sample(_RANGES, chance.randint(1, 3))
    longest = chance.choice([1, 3, 8, 8, 8, 45, 300])
    words = chance.choice([0, 1, 5, 50, 50, 500, 4_000])
    ends = chance.choice([" ", " ", " ", ". ", "\n", "\u3000", "\u00ad", ""])
    made = [make_word(chance, ranges, longest) for _ in range(min(words, 20_000 // longest))]
    return ends.join(made) * chance.choice([1, 1, 1, 1, 1, 12])


def make_texts(chance: random.Random, count: int, longest: int) -> list[str]:
    """Return short texts, which are pieces of one."""
    text = make_text(chance)
    places = [chance.randrange(len(text) + 1) for _ in range(count)]
    return [text[place : place + chance.randint(0, longest)] for place in places]


def make_word(chance: random.Random, ranges: list[tuple[int, int]], longest: int) -> str:
    """Return a word of characters from these ranges, each with the same probability."""
    low, high = chance.choice(ranges)
    return "".join(chr(chance.randint(low, high)) for _ in range(chance.randint(1, longest)))


def make_page(chance: random.Random) -> bytes:
    """Return a page: tags that nest properly or not, with text, references and comments between them."""
    tags = chance.sample(_TAGS, chance.randint(1, 12))
    pieces: list[str] = []
    most = chance.choice([3, 30, 30, 300, 1_000])
    for _ in range(most):
        match chance.randrange(8):
            case 0 | 1 | 2:
                pieces.append(f"<{chance.choice(tags)}{_make_attributes(chance)}>")
            case 3 | 4:
                pieces.append(f"</{chance.choice(tags)}{chance.choice(['', '', ' ', ' x=y', '/'])}>")
            case 5:
                pieces.append(chance.choice(_REFERENCES))
            case 6:
                pieces.append(
                    chance.choice(
                        ["<!-- x -->", "<!", "<?xml ?>", "<![CDATA[x]]>", "<!-->", "</>", "</3>", "< "]
                    )
                )
            case _:
                pieces.append(make_word(chance, [(0x20, 0x7E), (0xC0, 0x24F), (0x4E00, 0x9FFF)], 40))
    page = "".join(pieces)[:LONGEST] * chance.choice([1, 1, 1, 1, 1, 20])
    page = chance.choice(["", "", "<!doctype html>", "<html><body>"]) + page[:LONGEST]
    return page[: chance.choice([len(page), len(page), chance.randint(0, len(page))])].encode(
        "utf-8", "replace"
    )


def _make_attributes(chance: random.Random) -> str:
    made = ""
    for _ in range(chance.choice([0] * 12 + [1] * 12 + [2] * 6 + [40])):
        quote = chance.choice(['"', "'", "", '"'])
        value = chance.choice(_VALUES) * chance.choice([1] * 60 + [900])
        made += f" {chance.choice(_ATTRIBUTES)}{chance.choice(['=', '=', ' = ', ''])}{quote}{value}{chance.choice([quote, quote, quote, ''])}"
    return made + chance.choice(["", "", "", "/"])
