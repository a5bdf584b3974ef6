"""Pages follow from their plans: titles, text, anchors, versions, near copies and notices."""

import os
import subprocess
import sys
from collections.abc import Callable
from itertools import combinations

import msgspec
import pytest

from gossamer.errors import BadInput
from gossamer.lab.page_plan import PagePlan, PlannedLink
from gossamer.lab.writing.page_content import LANGUAGES, PageWriter, WrittenPage
from gossamer.lab.writing.phrases import NOTICES, NoticeKind

WRITER = PageWriter(7, ("en", "de"), ("music", "law"))


def planned(key: int, **changes: object) -> PagePlan:
    plan = PagePlan(
        url=f"http://a.test/{key}",
        key=key,
        language="en",
        topic="music",
        version=0,
        host_name="A Test",
        host_key=key % 5,
        links=(),
        paragraphs=8,
    )
    return msgspec.structs.replace(plan, **changes)


def shingles(text: str, size: int = 5) -> set[tuple[str, ...]]:
    words = text.split()
    return set(zip(*(words[start:] for start in range(size)), strict=False))


def likeness(one: str, other: str) -> float:
    a, b = shingles(one), shingles(other)
    return len(a & b) / len(a | b)


def test_the_same_plan_gives_the_same_page() -> None:
    assert WRITER.page(planned(1)) == PageWriter(7, ("en",), ("music",)).page(planned(1))
    assert WRITER.page(planned(1)).text != WRITER.page(planned(2)).text
    assert WRITER.page(planned(1)).text != PageWriter(8, ("en",), ("music",)).page(planned(1)).text


@pytest.mark.slow
def test_pages_are_the_same_in_every_process() -> None:
    code = (
        "import zlib; from gossamer.lab.page_plan import PagePlan;"
        "from gossamer.lab.writing.page_content import PageWriter;"
        "print(zlib.crc32(PageWriter(7).page(PagePlan('u', 5, 'el', 'law', 2, 'h', 3, (), 9)).html.encode()))"
    )
    printed = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONHASHSEED": hash_seed},
            capture_output=True,
            check=True,
        ).stdout
        for hash_seed in ("1", "2")
    }
    assert len(printed) == 1


def test_titles_follow_from_the_key_alone() -> None:
    assert WRITER.page(planned(3)).title == PageWriter(99).title(3, "en", "music")
    assert WRITER.page(planned(3, version=4, paragraphs=1, host_key=9)).title == WRITER.title(
        3, "en", "music"
    )
    titles = {WRITER.title(key, "en", "music") for key in range(2000)}
    assert len(titles) > 1950


def test_the_words_of_the_title_are_in_the_text() -> None:
    hits = 0
    for key in range(50):
        page = WRITER.page(planned(key))
        body = page.main_text.split("\n", 1)[1].lower().split()
        hits += any(word in body for word in page.title.lower().split())
    assert hits == 50


def test_pages_use_words_of_their_topic_at_the_given_rate() -> None:
    music = {word.lower() for word in WRITER.topic_words("music", "en")}

    def share(writer: PageWriter, topic: str) -> float:
        pages = [writer.page(planned(key, topic=topic)).main_text for key in range(40)]
        words = [word.strip(".,?!").lower() for page in pages for word in page.split()]
        return sum(word in music for word in words) / len(words)

    assert share(WRITER, "law") < 0.03
    assert share(WRITER, "") < 0.03
    assert 0.17 < share(WRITER, "music") < 0.27
    assert share(PageWriter(7, topic_share=0.7), "music") > 0.6
    assert share(PageWriter(7, topic_share=0.0), "music") < 0.06


def test_unrelated_pages_are_not_near_copies() -> None:
    texts = [WRITER.page(planned(key)).main_text for key in range(40)]
    assert max(likeness(one, other) for one, other in combinations(texts, 2)) < 0.1


def test_near_copies_differ_in_as_many_words_as_planned() -> None:
    original = WRITER.page(planned(1))
    for edits in (0, 1, 5, 40):
        copy = WRITER.page(planned(2, copy_of=1, copy_edits=edits, host_key=4))
        assert copy.title == original.title
        pairs = list(zip(original.main_text.split(), copy.main_text.split(), strict=True))
        assert sum(one != other for one, other in pairs) == edits
    assert likeness(original.main_text, WRITER.page(planned(2, copy_of=1, copy_edits=5)).main_text) > 0.8


@pytest.mark.parametrize("paragraphs", [0, 1, 8])
def test_every_version_changes_the_main_text_and_nothing_else(paragraphs: int) -> None:
    pages = [WRITER.page(planned(1, version=version, paragraphs=paragraphs)) for version in range(12)]
    assert len({page.main_text for page in pages}) == 12
    assert len({page.title for page in pages}) == 1
    assert len({page.text.replace(page.main_text, "") for page in pages}) == 1


def test_a_version_keeps_most_paragraphs() -> None:
    before, after = (WRITER.page(planned(1, version=version, paragraphs=40)).main_text for version in (6, 7))
    kept = set(before.split("\n")) & set(after.split("\n"))
    assert 20 < len(kept) < 50


@pytest.mark.parametrize("version", [10**6, 10**18])
def test_a_page_of_a_very_high_version_can_be_written(version: int) -> None:
    assert WRITER.page(planned(1, version=version)).main_text


def linked(count: int = 60, **changes: object) -> tuple[PlannedLink, ...]:
    link = PlannedLink(href="x", url="http://b.test/x", topic="law", language="de")
    return tuple(msgspec.structs.replace(link, key=key, **changes) for key in range(1000, 1000 + count))


def shares_a_word(anchor: str, title: str) -> bool:
    return bool(set(anchor.lower().split()) & set(title.lower().split()))


@pytest.mark.parametrize(
    ("place", "least", "most"), [("text", 0.7, 0.98), ("list", 1, 1), ("navigation", 1, 1)]
)
def test_anchors_describe_their_targets(place: str, least: float, most: float) -> None:
    anchors = WRITER.page(planned(1, links=linked(400, place=place))).anchors
    described = [
        shares_a_word(anchor, WRITER.title(key, "de", "law")) for key, anchor in enumerate(anchors, 1000)
    ]
    assert least <= sum(described) / len(described) <= most
    generic = {anchor for anchor, telling in zip(anchors, described, strict=True) if not telling}
    assert generic <= set(LANGUAGES["en"].here)


def test_a_menu_entry_has_the_same_text_on_every_page() -> None:
    one, other = (WRITER.page(planned(key, links=linked(5, place="navigation"))) for key in (1, 2))
    assert one.anchors == other.anchors


def test_large_pages_are_as_large_as_planned() -> None:
    page = WRITER.page(planned(1, large_bytes=3_000_000))
    assert 3_000_000 <= len(page.html) < 3_100_000
    assert len(page.main_text) > 2_500_000


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_kind_of_page_can_be_written_in_every_language(language: str) -> None:
    for key, topic in enumerate(("", "law", "music")):
        page = WRITER.page(planned(key, language=language, topic=topic, links=linked(5)))
        assert page.title
        assert len(page.main_text) > 500
        assert f'lang="{language}"' in page.html


@pytest.mark.parametrize("kind", NOTICES)
def test_notices_say_what_is_wrong(kind: NoticeKind) -> None:
    notice = WRITER.notice(5, "de", kind)
    assert notice.title == LANGUAGES["de"].notices[NOTICES.index(kind)][0]
    assert notice.title in notice.text
    assert notice.anchors == ()
    assert "href" not in notice.html
    assert len(notice.text.split("\n")) == 2 or kind == "soft 404"


@pytest.mark.parametrize(
    ("ask", "sentence"),
    [
        (lambda: PageWriter(1, ("xx",), ()), "no language 'xx': use one of ar,"),
        (lambda: PageWriter(1, (), ("knitting",)), "no topic 'knitting': use one of astronomy,"),
        (lambda: PageWriter(1, topic_share=1.5), "between 0 and 1"),
        (lambda: WRITER.page(planned(1, language="xx")), "no language 'xx'"),
        (lambda: WRITER.page(planned(1, topic="knitting")), "no topic 'knitting'"),
        (lambda: WRITER.title(1, "xx", ""), "no language 'xx'"),
        (lambda: WRITER.topic_words("music", "xx"), "no language 'xx'"),
        (lambda: WRITER.notice(1, "xx", "gone"), "no language 'xx'"),
        (lambda: WRITER.notice(1, "en", "lost"), "no notice 'lost': use one of not found,"),  # type: ignore[arg-type]
    ],
)
def test_unknown_languages_topics_and_notices_are_errors_of_one_sentence(
    ask: Callable[[], WrittenPage], sentence: str
) -> None:
    with pytest.raises(BadInput, match=sentence):
        ask()
