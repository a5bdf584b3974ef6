"""A parser finds every planned link and the visible text, for any plan."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from selectolax.lexbor import LexborHTMLParser

from gossamer.lab.page_plan import PagePlan, PlannedLink
from gossamer.lab.writing.page_content import PageWriter, WrittenPage

WRITER = PageWriter(3)
KEYS = st.integers(-(2**63), 2**64 - 1)
# Control characters, carriage returns and surrogates do not survive any HTML parser.
TEXT = st.text(st.characters(exclude_categories=("Cc", "Cs")), max_size=20)
ATTRIBUTE_OF = {"a": "href", "area": "href", "iframe": "src", "form": "action", "link": "href"}

LINKS = st.builds(
    PlannedLink,
    href=TEXT,
    url=st.just(""),
    type=st.sampled_from(sorted(ATTRIBUTE_OF)),
    place=st.sampled_from(("navigation", "text", "list", "footer", "head")),
    topic=st.sampled_from(("", "music")),
    language=st.sampled_from(("", "en", "ja")),
    key=KEYS,
    rel=TEXT,
    image=st.booleans(),
)
PLANS = st.builds(
    PagePlan,
    url=st.just("http://a.test/"),
    key=KEYS,
    language=st.sampled_from(("en", "ja")),
    topic=st.sampled_from(("", "music")),
    version=st.integers(0, 10**9),
    host_name=TEXT,
    host_key=KEYS,
    links=st.lists(LINKS, max_size=30).map(tuple),
    paragraphs=st.integers(0, 12),
    copy_of=st.sampled_from((0, 5)),
    copy_edits=st.integers(0, 300),
    large_bytes=st.sampled_from((0, 20_000)),
)


@pytest.mark.slow
@settings(max_examples=150, deadline=None)
@given(PLANS)
def test_every_planned_link_is_found_once_and_in_order(plan: PagePlan) -> None:
    page = WRITER.page(plan)
    nodes = LexborHTMLParser(page.html).css(", ".join(ATTRIBUTE_OF))
    found = [(node.tag, node.attributes[ATTRIBUTE_OF[str(node.tag)]] or "") for node in nodes]
    assert found == [(plan.links[place].type, plan.links[place].href) for place in page.order]
    assert sorted(page.order) == list(range(len(plan.links)))


@pytest.mark.slow
@settings(max_examples=150, deadline=None)
@given(PLANS)
def test_the_visible_text_agrees_with_a_parser(plan: PagePlan) -> None:
    page = WRITER.page(plan)
    tree = LexborHTMLParser(page.html)
    for unseen in tree.css("script, style"):
        unseen.decompose()
    assert tree.body is not None
    assert re.sub(r"\s", "", tree.body.text()) == re.sub(r"\s", "", page.text)
    assert_tidy(page)


def assert_tidy(page: WrittenPage) -> None:
    for line in page.text.split("\n"):
        assert line == line.strip() != ""
        assert "  " not in line
