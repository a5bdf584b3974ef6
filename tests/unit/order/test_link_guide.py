"""Guides: how they weigh links, learn, move waiting links and store what was learnt."""

import math

import pytest
from tests.unit.order.guides import StubTopic, make_links, make_request, visit

from gossamer.net.url import page_id
from gossamer.order import link_guide as guides
from gossamer.order.link_guide import Guide, GuideOptions
from gossamer.order.order_expression import parse_order
from gossamer.records import Link

HOME = "http://h.org/"
PEOPLE = [f"http://h.org/people/p{n}.html" for n in range(60)]
PAPERS = [f"http://h.org/papers/t{n}.html" for n in range(60)]
TOPIC = StubTopic(dict.fromkeys(PEOPLE, 1.0))


def make_guide(order: str = "topic", topic: StubTopic = TOPIC) -> Guide:
    return Guide(GuideOptions(parse_order(order), topic))


def teach(guide: Guide, visits: int = 30) -> Guide:
    """Visit a page with links to people and papers, and the pages that they lead to; return the guide."""
    links = [Link(url, text="member") for url in PEOPLE[:visits]] + [
        Link(url, text="paper") for url in PAPERS[:visits]
    ]
    visit(guide, make_request(HOME, depth=0), *links)
    for person, paper in zip(PEOPLE[:visits], PAPERS[:visits], strict=True):
        visit(guide, make_request(person, HOME))
        visit(guide, make_request(paper, HOME))
    return guide


def weigh(guide: Guide, *links: Link) -> list[float]:
    request = make_request("http://h.org/list.html", HOME)
    guide.read_page(request, "", "")
    found = guide.weigh_links(request, make_links(*links), [])
    guide.end_visit(request, learn=False)
    return found


def test_links_that_resemble_those_to_relevant_pages_go_first() -> None:
    guide = teach(make_guide())
    person, paper = weigh(guide, Link(PEOPLE[40], text="member"), Link(PAPERS[40], text="paper"))
    assert person > 3 * paper


def test_missing_pages_lower_the_priority_of_links_that_resemble_theirs() -> None:
    guide = make_guide()
    links = [Link(f"http://h.org/old/{n}.ps", text="download") for n in range(30)]
    before = weigh(guide, Link("http://h.org/old/x.ps", text="download"))[0]
    visit(guide, make_request(HOME, depth=0), *links)
    for link in links:
        visit(guide, make_request(link.url, HOME), there=False)
    assert weigh(guide, Link("http://h.org/old/y.ps", text="download"))[0] < 0.75 * before


def test_links_to_lists_of_relevant_pages_gain_priority() -> None:
    guide = teach(make_guide())
    lists = [Link(f"http://h.org/group{n}/members.html", text="our group") for n in range(12)]
    dull = [Link(f"http://h.org/news{n}/events.html", text="latest events") for n in range(12)]
    visit(guide, make_request(HOME, depth=0), *lists, *dull)
    for number, (one, other) in enumerate(zip(lists, dull, strict=True)):
        members = [Link(f"http://h.org/people/x{number}-{n}.html", text="member") for n in range(5)]
        visit(guide, make_request(one.url, HOME), *members)
        visit(guide, make_request(other.url, HOME), f"http://h.org/news{number}/a.html")
    good, bad = weigh(
        guide,
        Link("http://h.org/group99/members.html", text="our group"),
        Link("http://h.org/news99/events.html", text="latest events"),
    )
    assert good > bad


def test_relevant_pages_raise_the_score_of_their_links_and_other_pages_lower_it() -> None:
    guide, (shared,) = make_guide(), make_links(PEOPLE[50])
    home = guide.read_page(make_request(HOME, depth=0), "", "")
    further = [guide.read_page(make_request(url, HOME), "", "") for url in (PEOPLE[0], PAPERS[0])]
    parts = guide.explain(home, shared, further)
    assert parts["relevant pages that link to it"] == pytest.approx(5 * math.log(2), abs=0.01)
    assert parts["other pages that link to it"] == pytest.approx(-2 * math.log(3), abs=0.01)


def test_a_link_is_worth_the_same_in_whatever_order_its_pages_are_read() -> None:
    pages = [PEOPLE[0], PAPERS[0], PAPERS[1]]
    odds = []
    for first, *rest in (pages, pages[::-1]):
        guide = make_guide()
        views = {url: guide.read_page(make_request(url, HOME), "", "") for url in pages}
        parts = guide.explain(views[first], make_links(PEOPLE[50])[0], [views[url] for url in rest])
        odds.append(sum(value for name, value in parts.items() if "link to it" in name))
    assert odds[0] == pytest.approx(odds[1])


def test_a_waiting_link_moves_as_soon_as_a_relevant_page_links_to_it() -> None:
    guide = make_guide()
    priorities = visit(guide, make_request(HOME, depth=0), PAPERS[5], PAPERS[6])
    waiting = [make_request(url, HOME, 1, n, priorities[url]) for n, url in enumerate(PAPERS[5:7], 1)]
    guide.add_waiting(waiting)
    assert not guide.reweigh_linked()
    page = make_request(PEOPLE[0], HOME)
    guide.read_page(page, "", "")
    guide.weigh_links(page, [], [page_id(PAPERS[5])])
    guide.end_visit(page, learn=True)
    assert not guide.is_due()
    ((before, after),) = guide.reweigh_linked()
    assert before.url == PAPERS[5]
    assert after.priority > 2 * before.priority
    assert not guide.reweigh_linked(), "the change was returned once"


def test_waiting_links_are_moved_as_more_is_learnt() -> None:
    guide = make_guide()
    links = [*PEOPLE[:40], *PAPERS[:40]]
    priorities = visit(guide, make_request(HOME, depth=0), *links)
    waiting = [make_request(url, HOME, 1, number, priorities[url]) for number, url in enumerate(links, 1)]
    guide.add_waiting(waiting)
    for request in waiting[:15] + waiting[40:55]:
        guide.remove_waiting(request)
        visit(guide, request)
    assert guide.is_due()
    moves = {after.url: (before, after) for before, after in guide.reweigh_waiting()}
    assert moves.keys() <= {one.url for one in waiting[15:40] + waiting[55:]}, (
        "requests that were taken are not moved"
    )
    people = [after.priority - before.priority for url, (before, after) in moves.items() if "people" in url]
    papers = [after.priority - before.priority for url, (before, after) in moves.items() if "papers" in url]
    assert people
    assert min(people, default=0) > max(papers, default=0)
    assert not guide.is_due()


def test_each_move_begins_with_the_priority_of_the_last_one() -> None:
    guide = make_guide("authority")
    first = visit(guide, make_request(HOME, depth=0), *PAPERS[:3])
    guide.add_waiting([make_request(url, HOME, 1, n, first[url]) for n, url in enumerate(PAPERS[:3], 1)])
    keys = [page_id(PAPERS[0])]
    for number in range(2):
        page = make_request(f"http://h.org/{number}")
        guide.read_page(page, "", "")
        guide.weigh_links(page, [], keys)
        guide.end_visit(page, learn=True)
        ((before, after),) = guide.reweigh_waiting()
        assert before.priority == pytest.approx((1 + number) / (4 + number))
        assert after.priority == pytest.approx((2 + number) / (5 + number))


def test_notes_load_what_was_learnt_from_pieces_and_from_the_whole() -> None:
    guide = make_guide("topic+0.3*authority+0.2*hub+0.1*rank")
    notes: dict[str, bytes] = {}
    for number in range(guides.PIECES + 5):
        shown = [Link(f"http://h.org/people/q{number}.html", text="member")]
        visit(guide, make_request(HOME, depth=0), *shown)
        visit(guide, make_request(PEOPLE[number % 60], HOME))
        for name, note in guide.take_notes("1.0.").items():
            if note is None:
                del notes[name]
            else:
                notes[name] = note
    assert len(notes) == 6, "one whole, and what came after it"
    again = make_guide("topic+0.3*authority+0.2*hub+0.1*rank")
    again.load_notes(sorted(notes.items()))
    probe = Link("http://h.org/people/new.html", text="member")
    assert weigh(again, probe) == pytest.approx(weigh(guide, probe), rel=1e-6)


ALL = "topic+0.3*authority+0.2*hub+0.1*rank"


def test_notes_of_several_guides_are_merged_and_a_copy_changes_nothing() -> None:
    people, papers = make_guide(ALL), make_guide(ALL)
    for guide, urls, text in ((people, PEOPLE, "member"), (papers, PAPERS, "paper")):
        visit(guide, make_request(HOME, depth=0), *(Link(url, text=text) for url in urls[:30]))
        for url in urls[:30]:
            visit(guide, make_request(url, HOME))
    notes = [list(take_kept_notes(guide).items()) for guide in (people, papers)]
    probes = [Link(PEOPLE[40], text="member"), Link(PAPERS[40], text="paper")]
    once, copied = make_guide(ALL), make_guide(ALL)
    once.merge_notes(notes)
    copied.merge_notes([notes[0], notes[0]])
    person, paper = weigh(once, *probes)
    assert person > paper > min(weigh(papers, *probes))
    assert person > max(weigh(make_guide(ALL), *probes))
    assert weigh(copied, *probes) == pytest.approx(weigh(people, *probes), rel=0.01)


def test_merged_notes_are_written_as_a_whole() -> None:
    guide, other = make_guide(), teach(make_guide())
    guide.merge_notes([list(take_kept_notes(other).items())])
    visit(guide, make_request(HOME, depth=0), Link(PEOPLE[45], text="member"))
    visit(guide, make_request(PEOPLE[45], HOME))
    written = take_kept_notes(guide)
    assert list(written) == ["1.0.0000"]
    assert guides.count_visits(written["1.0.0000"]) == 63, "61 of the other guide, and 2"
    again = make_guide()
    again.load_notes(list(written.items()))
    probe = Link(PEOPLE[50], text="member")
    assert weigh(again, probe) == pytest.approx(weigh(guide, probe), rel=1e-6)


def test_a_full_note_deletes_all_earlier_ones() -> None:
    guide = make_guide()
    guide.request_full_note()
    visit(guide, make_request(HOME, depth=0), PAPERS[0])
    visit(guide, make_request(PAPERS[0], HOME))
    notes = guide.take_notes("1.0.")
    assert [name for name, note in notes.items() if note is not None] == ["1.0.0000"]
    assert len(notes) == guides.PIECES


def take_kept_notes(guide: Guide) -> dict[str, bytes]:
    """Return the notes that a guide writes, without those that it deletes."""
    return {name: note for name, note in sorted(guide.take_notes("1.0.").items()) if note is not None}


def test_links_of_an_earlier_run_are_weighed_by_what_was_learnt_since() -> None:
    guide = teach(make_guide())
    waiting = [make_request(url, HOME, 1, n, 0.123) for n, url in enumerate((PEOPLE[50], PAPERS[50]), 1)]
    assert guide.select_unknown(waiting) == waiting
    home = guide.read_page(make_request(HOME, depth=0), "", "")
    links = [Link(PEOPLE[50], text="member"), Link(PAPERS[50], text="paper")]
    person, paper = guide.weigh_again(home, list(zip(waiting, links, strict=True)))
    assert person.priority > 3 * paper.priority
    assert [person.number, paper.number] == [1, 2]
    guide.add_waiting([person, paper])
    assert guide.select_unknown(waiting) == []


def test_links_that_another_shard_follows_are_forgotten() -> None:
    guide = make_guide("authority")
    visit(guide, make_request(HOME, depth=0), *PAPERS[:2])
    guide.forget_links([page_id(PAPERS[0])])
    assert set(
        guide.explain(guide.read_page(make_request(HOME), "", ""), make_links(PAPERS[0])[0]).values()
    ) == {0.0}
    assert set(
        guide.explain(guide.read_page(make_request(HOME), "", ""), make_links(PAPERS[1])[0]).values()
    ) == {1.0}


def test_a_guide_that_has_learnt_nothing_writes_no_notes() -> None:
    assert make_guide().take_notes("1.0.") == {}


def test_links_beyond_the_limit_keep_their_priority(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guides, "MOST_WAITING", 8)
    guide = make_guide("authority")
    priorities = visit(guide, make_request(HOME, depth=0), *PAPERS[:12])
    guide.add_waiting(
        [make_request(url, HOME, 1, n, priorities[url] + n) for n, url in enumerate(PAPERS[:12])]
    )
    page = make_request("http://h.org/again")
    guide.read_page(page, "", "")
    guide.weigh_links(page, [], [page_id(url) for url in PAPERS[:12]])
    guide.end_visit(page, learn=True)
    moved = {after.url for _, after in guide.reweigh_waiting()}
    assert moved == set(PAPERS[2:12]), "the worst quarter is forgotten"


def test_a_few_links_are_raised_to_an_even_chance_and_always_the_same() -> None:
    links = [Link(f"http://h.org/papers/z{n}.html", text="paper") for n in range(1_000)]
    found = weigh(teach(make_guide()), *links)
    tried = [at for at, value in enumerate(found) if value == 0.5]
    assert 5 <= len(tried) <= 30
    assert tried == [at for at, value in enumerate(weigh(teach(make_guide()), *links)) if value == 0.5]


def test_a_redirect_keeps_the_priority_of_its_source() -> None:
    source = make_request(HOME, depth=0, priority=0.7)
    assert make_guide().weigh_links(source, make_links("http://h.org/new"), []) == [0.7]
