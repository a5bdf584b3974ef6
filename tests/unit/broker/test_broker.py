from itertools import pairwise

import pytest
from tests.unit.broker.sources import IndexSource, make_index
from tests.unit.search.texts import COMPOSERS, entry

from gossamer.broker.broker import Broker, open_many
from gossamer.errors import BadInput, StoreFailed
from gossamer.search.answers.answer_query import search
from gossamer.search.answers.answer_records import SearchOptions
from gossamer.search.index.page_entry import Entry

_WORDS = [
    "river",
    "stone",
    "bridge",
    "water",
    "boat",
    "mill",
    "harbour",
    "island",
    "valley",
    "meadow",
    "forest",
    "castle",
    "village",
    "market",
    "tower",
]


def make_page(number: int) -> Entry:
    """Return a page with some of the words, each page with others, and the longer the higher its number."""
    words = [_WORDS[(number * step + step * step) % len(_WORDS)] for step in range(3, 8 + 2 * number)]
    title = f"{_WORDS[number % len(_WORDS)]} {_WORDS[number * 7 % len(_WORDS)]}".title()
    return entry(number, title=title, main=" ".join(words), language="en", simhash=0, words=0)


PAGES = [make_page(number) for number in range(1, 41)]


def split_unequally() -> list[IndexSource]:
    """Put short pages into a small web, and long ones into a large web."""
    ends = [0, 4, 12, 40]
    return [IndexSource(f"web{at}", *PAGES[begin:end]) for at, (begin, end) in enumerate(pairwise(ends))]


@pytest.mark.parametrize(
    "query",
    ["river", "stone bridge", "harbour mill boat", "village OR tower", "title:castle", "meadow -forest"],
)
def test_several_webs_rank_as_one_index_does(query: str) -> None:
    whole = search(make_index(*PAGES), query, SearchOptions(size=40))
    with Broker(split_unequally()) as broker:
        merged = broker.search(query, size=40)
    assert whole.total == merged.total > 0
    scores = {answer.url: answer.score for answer in whole.answers}
    assert {answer.url for answer in merged.answers} == set(scores)
    # Titles are not corrected for their average length; in one index the words of a page count as much.
    for answer in merged.answers:
        assert answer.score == pytest.approx(scores[answer.url], rel=0.06)
    assert scores[merged.answers[0].url] >= 0.95 * max(scores.values())
    assert [answer.rank for answer in merged.answers] == list(range(1, len(scores) + 1))
    assert whole.counts["type"] == merged.counts["type"]


def test_answers_of_several_webs_are_grouped_together() -> None:
    subjects = {"steam boilers in coal mines": range(1, 7), "string quartets for violins": range(7, 13)}
    pages = [
        entry(
            number,
            title=f"jaguar {subject}",
            main=f"jaguar {number} {number * 7}",
            language="en",
            simhash=0,
            words=0,
        )
        for subject, numbers in subjects.items()
        for number in numbers
    ]
    with Broker([IndexSource("odd", *pages[::2]), IndexSource("even", *pages[1::2])]) as broker:
        found, grouped = broker.search_and_group("jaguar")
    assert grouped.total == grouped.grouped == len(found.answers) == 12
    assert [group.count for group in grouped.groups] == [6, 6]
    origins = {one.rank: one.origin for one in found.answers}
    assert all({origins[rank] for rank in group.ranks} == {"odd", "even"} for group in grouped.groups)


def test_without_shared_statistics_the_scores_would_differ() -> None:
    small, *_ = split_unequally()
    whole = search(make_index(*PAGES), "river stone", SearchOptions(size=40))
    alone = search(small.index, "river stone")
    scores = {answer.url: answer.score for answer in whole.answers}
    assert any(abs(one.score / scores[one.url] - 1) > 0.1 for one in alone.answers)


def test_pages_of_merged_answers_follow_each_other() -> None:
    with Broker(split_unequally()) as broker:
        every = [answer.url for answer in broker.search("river stone", size=40).answers]
        pages = [broker.search("river stone", size=7, page=number) for number in range(1, 7)]
    assert [answer.url for page in pages for answer in page.answers] == every
    assert [page.more for page in pages[:3]] == [True, True, True]
    last = next(page for page in pages if not page.more)
    assert last.page == last.pages


def test_a_web_that_is_down_is_named_and_the_others_answer() -> None:
    sources = split_unequally()
    sources[1].failure = "it cannot be reached (connect)"
    with Broker(sources) as broker:
        found = broker.search("river", size=40)
    assert found.notes == ("web1 was left out: it cannot be reached (connect).",)
    assert {answer.origin for answer in found.answers} == {"web0", "web2"}
    assert [(one.name, bool(one.failure)) for one in found.origins or ()] == [
        ("web0", False),
        ("web1", True),
        ("web2", False),
    ]


def test_no_web_at_all_is_an_error_that_says_why() -> None:
    sources = [IndexSource("a", failure="it has no index."), IndexSource("b", failure="it is down")]
    with Broker(sources) as broker, pytest.raises(StoreFailed) as raised:
        broker.search("river")
    assert "a was left out: it has no index." in str(raised.value)
    assert "b was left out: it is down." in str(raised.value)


def test_one_of_several_webs_can_be_chosen() -> None:
    with Broker(split_unequally()) as broker:
        found = broker.search("river", origin="web1")
        with pytest.raises(BadInput, match="there is no web called other"):
            broker.search("river", origin="other")
    assert {answer.origin for answer in found.answers} == {"web1"}
    assert set(found.counts["origin"]) == {"web1"}


def test_copies_in_other_webs_are_folded() -> None:
    long = f"{COMPOSERS} {COMPOSERS.replace('Haydn', 'Dittersdorf').replace('Bonn', 'Breslau')} " * 3
    first = IndexSource("a", entry(1, title="Haydn", main=long, language="en"))
    second = IndexSource("b", entry(2, title="Haydn, printed", main=f"{long} Printed.", language="en"))
    same = IndexSource("c", entry(1, title="Haydn", main="Haydn was rewritten since.", language="en"))
    with Broker([first, second, same]) as broker:
        folded = broker.search("haydn")
        apart = broker.search("haydn", fold=False)
    (only,) = folded.answers
    assert len(only.copies) == 2
    assert {copy.origin for copy in only.copies} | {only.origin} == {"a", "b", "c"}
    assert len(apart.answers) == 3
    assert folded.total == 3


def test_each_web_is_asked_for_few_answers_of_the_first_page() -> None:
    source = IndexSource("a", *PAGES)
    with Broker([source]) as broker:
        broker.search("river", page=3, size=5)
    (query,) = source.asked
    assert query.options.page == 1
    assert query.options.size == 20
    assert query.options.whole is not None


def test_feedback_is_left_out_and_a_note_says_so() -> None:
    with Broker(split_unequally()) as broker:
        found = broker.search("river stone", feedback=True)
        plain = broker.search("river stone")
    assert [one.url for one in found.answers] == [one.url for one in plain.answers]
    assert "Feedback was left out" in found.notes[0]


def test_suggestions_come_from_all_webs_in_turn() -> None:
    sources = [
        IndexSource("a", entry(1, title="Organ music", main="organ", language="en")),
        IndexSource("b", entry(2, title="Organic food", main="organic", language="en")),
    ]
    with Broker(sources) as broker:
        found = broker.suggestions("orga")
    assert {"Organ music", "Organic food"} <= set(found[:3])


def test_a_misspelt_word_is_corrected_only_if_no_web_has_it() -> None:
    sources = [
        IndexSource("a", *(entry(number, title="Bridge", main="bridge", language="en") for number in (1, 2))),
        IndexSource("b", *(entry(number, main="brigde words here", language="en") for number in (3, 4, 5))),
    ]
    with Broker(sources) as broker:
        assert broker.search("brigde").suggestion == ""
    with Broker(sources[:1]) as broker:
        assert broker.search("brigde").suggestion == "bridge"


def test_the_same_web_twice_is_one_and_none_is_an_error() -> None:
    with open_many(["http://127.0.0.1:1", "http://127.0.0.1:1/", "no.web"]) as broker:
        assert [source.name for source in broker.sources] == ["http://127.0.0.1:1/", "no.web"]
    with pytest.raises(BadInput, match="give 1 to"):
        open_many([])


def test_a_query_that_was_passed_on_often_goes_no_further() -> None:
    with open_many(["http://127.0.0.1:1/"]) as broker, pytest.raises(BadInput, match="passed on too often"):
        broker.search("river", hops=2)
