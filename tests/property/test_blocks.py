"""Text blocks of arbitrary pages."""

from hypothesis import given, settings
from hypothesis import strategies as st

from gossamer.net.html import read
from gossamer.net.main_text.sentences import sentences
from gossamer.net.main_text.text_blocks import blocks, main_text, words_around

NAMES = "p div span a b ul li table tr td h1 h2 pre br hr nav article form label template svg script"
TAGS = st.sampled_from(NAMES.split())
WORDS = st.sampled_from(["word", "Ende.", "日本語。", "  ", "\n", "a, b", "&amp;", "\x00", "é"])
ATTRIBUTES = st.sampled_from(
    ["", " hidden", " class=comment", " id=footer", " href=/x", " style=display:none", " role=x"]
)


def markup(tags: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    opening = st.builds(lambda tag, attributes: f"<{tag}{attributes}>", tags, ATTRIBUTES)
    closing = st.builds(lambda tag: f"</{tag}>", tags)
    return st.lists(st.one_of(opening, closing, WORDS), max_size=60).map("".join)


MARKUP = markup(TAGS)
# Where an <i> is text (script) or changes the tree around it (svg), it is not mere mark-up.
PLAIN_MARKUP = markup(st.sampled_from(["p", "div", "span", "a", "ul", "li", "h2", "pre", "br", "hr", "nav"]))
URL = "https://site.example/"


@given(st.one_of(st.binary(max_size=300), MARKUP.map(str.encode)))
@settings(max_examples=150, deadline=None)
def test_blocks_of_any_page_are_valid(body: bytes) -> None:
    page = read(body, URL)
    found = blocks(page)
    for block in found:
        assert block.text.strip()
        assert 0 <= block.link_density <= 1
        assert all(page.links[place].type == "a" for place in block.links)
    assert any(block.main for block in found) == bool(found)
    assert main_text(page) == "\n".join(block.text for block in found if block.main)


@given(MARKUP)
@settings(max_examples=100, deadline=None)
def test_words_around_are_the_words_of_the_blocks(source: str) -> None:
    page = read(source.encode(), URL)
    shown = " ".join(block.text for block in blocks(page))
    for words in words_around(page, reach=4):
        assert len(words.before) <= 4
        assert len(words.after) <= 4
        assert all(word in shown for word in (*words.before, *words.inside, *words.after))


@given(PLAIN_MARKUP)
@settings(max_examples=60, deadline=None)
def test_inline_mark_up_changes_no_block(source: str) -> None:
    marked = source.replace("word", "wo<i>r</i><!-- x -->d")
    plain, with_marks = (
        [block.text for block in blocks(read(page.encode(), URL, "text/html; charset=utf-8"))]
        for page in (source, marked)
    )
    assert with_marks == plain


@given(st.text(max_size=300))
def test_sentences_lose_only_white_space(text: str) -> None:
    assert "".join("".join(sentences(text)).split()) == "".join(text.split())
