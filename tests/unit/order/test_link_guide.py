"""Guides: what they learn, move and remember."""

import math

import pytest
from tests.unit.order.guides import Told, new, requested, visit

from gossamer.net.url import page_id
from gossamer.order import link_guide as guides
from gossamer.order.link_guide import Guide, Steering
from gossamer.order.order_expression import mixture_of
from gossamer.records import Link

HOME = "http://h.org/"
PEOPLE = [f"http://h.org/people/p{n}.html" for n in range(60)]
PAPERS = [f"http://h.org/papers/t{n}.html" for n in range(60)]
TOPIC = Told(dict.fromkeys(PEOPLE, 1.0))


def learning(order: str = "topic", topic: Told = TOPIC) -> Guide:
    return Guide(Steering(mixture_of(order), topic))


def taught(guide: Guide, visits: int = 30) -> Guide:
    """Let a guide see a page with links to people and papers, and where they lead."""
    links = [Link(url, text="member") for url in PEOPLE[:visits]] + [
        Link(url, text="paper") for url in PAPERS[:visits]
    ]
    visit(guide, requested(HOME, depth=0), *links)
    for person, paper in zip(PEOPLE[:visits], PAPERS[:visits], strict=True):
        visit(guide, requested(person, HOME))
        visit(guide, requested(paper, HOME))
    return guide


def weighed(guide: Guide, *links: Link) -> list[float]:
    request = requested("http://h.org/list.html", HOME)
    guide.read(request, "", "")
    found = guide.weigh(request, new(*links), [])
    guide.ended(request, tell=False)
    return found


def test_links_like_those_that_led_to_relevant_pages_go_first() -> None:
    guide = taught(learning())
    person, paper = weighed(guide, Link(PEOPLE[40], text="member"), Link(PAPERS[40], text="paper"))
    assert person > 3 * paper


def test_pages_that_are_not_there_teach_that_links_like_theirs_lead_nowhere() -> None:
    guide = learning()
    links = [Link(f"http://h.org/old/{n}.ps", text="download") for n in range(30)]
    before = weighed(guide, Link("http://h.org/old/x.ps", text="download"))[0]
    visit(guide, requested(HOME, depth=0), *links)
    for link in links:
        visit(guide, requested(link.url, HOME), there=False)
    assert weighed(guide, Link("http://h.org/old/y.ps", text="download"))[0] < before / 2


def test_a_list_of_relevant_pages_is_worth_following_although_it_is_not_relevant_itself() -> None:
    guide = taught(learning())
    lists = [Link(f"http://h.org/group{n}/members.html", text="our group") for n in range(12)]
    dull = [Link(f"http://h.org/news{n}/events.html", text="latest events") for n in range(12)]
    visit(guide, requested(HOME, depth=0), *lists, *dull)
    for number, (one, other) in enumerate(zip(lists, dull, strict=True)):
        members = [Link(f"http://h.org/people/x{number}-{n}.html", text="member") for n in range(5)]
        visit(guide, requested(one.url, HOME), *members)
        visit(guide, requested(other.url, HOME), f"http://h.org/news{number}/a.html")
    good, bad = weighed(
        guide,
        Link("http://h.org/group99/members.html", text="our group"),
        Link("http://h.org/news99/events.html", text="latest events"),
    )
    assert good > bad


def test_relevant_pages_speak_for_links_and_others_against_them() -> None:
    guide, (shared,) = learning(), new(PEOPLE[50])
    home = guide.read(requested(HOME, depth=0), "", "")
    further = [guide.read(requested(url, HOME), "", "") for url in (PEOPLE[0], PAPERS[0])]
    parts = guide.explained(home, shared, further)
    assert parts["relevance of further pages that link to it"] == pytest.approx(math.log(2), abs=0.01)
    assert parts["how many further pages link to it"] == pytest.approx(-0.3 * math.log(3), abs=0.01)


def test_what_waits_is_moved_when_more_is_known() -> None:
    guide = learning()
    links = [*PEOPLE[:40], *PAPERS[:40]]
    priorities = visit(guide, requested(HOME, depth=0), *links)
    waiting = [requested(url, HOME, 1, number, priorities[url]) for number, url in enumerate(links, 1)]
    guide.waits(waiting)
    for request in waiting[:15] + waiting[40:55]:
        guide.taken(request)
        visit(guide, request)
    assert guide.due()
    moves = {after.url: (before, after) for before, after in guide.moves()}
    assert moves.keys() <= {one.url for one in waiting[15:40] + waiting[55:]}, "what was taken is left alone"
    people = [after.priority - before.priority for url, (before, after) in moves.items() if "people" in url]
    papers = [after.priority - before.priority for url, (before, after) in moves.items() if "papers" in url]
    assert people
    assert min(people, default=0) > max(papers, default=0)
    assert not guide.due()


def test_moves_go_on_from_where_the_last_one_ended() -> None:
    guide = learning("authority")
    first = visit(guide, requested(HOME, depth=0), *PAPERS[:3])
    guide.waits([requested(url, HOME, 1, n, first[url]) for n, url in enumerate(PAPERS[:3], 1)])
    keys = [page_id(PAPERS[0])]
    for number in range(2):
        page = requested(f"http://h.org/{number}")
        guide.read(page, "", "")
        guide.weigh(page, [], keys)
        guide.ended(page, tell=True)
        ((before, after),) = guide.moves()
        assert before.priority == pytest.approx((1 + number) / (4 + number))
        assert after.priority == pytest.approx((2 + number) / (5 + number))


def test_what_was_learnt_is_known_again_from_its_pieces_and_from_the_whole() -> None:
    guide = learning("topic+0.3*authority+0.2*hub+0.1*rank")
    notes: dict[str, bytes] = {}
    for number in range(guides.PIECES + 5):
        shown = [Link(f"http://h.org/people/q{number}.html", text="member")]
        visit(guide, requested(HOME, depth=0), *shown)
        visit(guide, requested(PEOPLE[number % 60], HOME))
        for name, note in guide.notes("1.0.").items():
            if note is None:
                del notes[name]
            else:
                notes[name] = note
    assert len(notes) == 6, "one whole, and what came after it"
    again = learning("topic+0.3*authority+0.2*hub+0.1*rank")
    again.recall(sorted(notes.items()))
    probe = Link("http://h.org/people/new.html", text="member")
    assert weighed(again, probe) == pytest.approx(weighed(guide, probe), rel=1e-6)


ALL = "topic+0.3*authority+0.2*hub+0.1*rank"


def test_what_several_have_learnt_is_joined_and_a_copy_says_nothing_new() -> None:
    people, papers = learning(ALL), learning(ALL)
    for guide, urls, text in ((people, PEOPLE, "member"), (papers, PAPERS, "paper")):
        visit(guide, requested(HOME, depth=0), *(Link(url, text=text) for url in urls[:30]))
        for url in urls[:30]:
            visit(guide, requested(url, HOME))
    notes = [list(noted(guide).items()) for guide in (people, papers)]
    probes = [Link(PEOPLE[40], text="member"), Link(PAPERS[40], text="paper")]
    once, copied = learning(ALL), learning(ALL)
    once.join(notes)
    copied.join([notes[0], notes[0]])
    person, paper = weighed(once, *probes)
    assert person > paper > min(weighed(papers, *probes))
    assert person > max(weighed(learning(ALL), *probes))
    assert weighed(copied, *probes) == pytest.approx(weighed(people, *probes), rel=0.01)


def test_what_was_joined_is_written_as_a_whole() -> None:
    guide, other = learning(), taught(learning())
    guide.join([list(noted(other).items())])
    visit(guide, requested(HOME, depth=0), Link(PEOPLE[45], text="member"))
    visit(guide, requested(PEOPLE[45], HOME))
    written = noted(guide)
    assert list(written) == ["1.0.0000"]
    assert guides.visits_noted(written["1.0.0000"]) == 63, "61 of the other one, and 2"
    again = learning()
    again.recall(list(written.items()))
    probe = Link(PEOPLE[50], text="member")
    assert weighed(again, probe) == pytest.approx(weighed(guide, probe), rel=1e-6)


def test_a_guide_for_another_topic_leaves_nothing_of_the_one_before() -> None:
    guide = learning()
    guide.write_whole()
    visit(guide, requested(HOME, depth=0), PAPERS[0])
    visit(guide, requested(PAPERS[0], HOME))
    notes = guide.notes("1.0.")
    assert [name for name, note in notes.items() if note is not None] == ["1.0.0000"]
    assert len(notes) == guides.PIECES


def noted(guide: Guide) -> dict[str, bytes]:
    """Return the notes that a guide would have written, but those that are to be let go of."""
    return {name: note for name, note in sorted(guide.notes("1.0.").items()) if note is not None}


def test_links_of_earlier_runs_are_weighed_by_what_was_learnt_since() -> None:
    guide = taught(learning())
    waiting = [requested(url, HOME, 1, n, 0.123) for n, url in enumerate((PEOPLE[50], PAPERS[50]), 1)]
    assert guide.unknown(waiting) == waiting
    home = guide.read(requested(HOME, depth=0), "", "")
    links = [Link(PEOPLE[50], text="member"), Link(PAPERS[50], text="paper")]
    person, paper = guide.recollect(home, list(zip(waiting, links, strict=True)))
    assert person.priority > 3 * paper.priority
    assert [person.number, paper.number] == [1, 2]
    guide.waits([person, paper])
    assert guide.unknown(waiting) == []


def test_links_that_others_follow_are_let_go() -> None:
    guide = learning("authority")
    visit(guide, requested(HOME, depth=0), *PAPERS[:2])
    guide.leave([page_id(PAPERS[0])])
    assert set(guide.explained(guide.read(requested(HOME), "", ""), new(PAPERS[0])[0]).values()) == {0.0}
    assert set(guide.explained(guide.read(requested(HOME), "", ""), new(PAPERS[1])[0]).values()) == {1.0}


def test_nothing_learnt_is_nothing_to_write_down() -> None:
    assert learning().notes("1.0.") == {}


def test_what_there_is_no_room_for_keeps_its_place(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guides, "MOST_WAITING", 8)
    guide = learning("authority")
    priorities = visit(guide, requested(HOME, depth=0), *PAPERS[:12])
    guide.waits([requested(url, HOME, 1, n, priorities[url] + n) for n, url in enumerate(PAPERS[:12])])
    page = requested("http://h.org/again")
    guide.read(page, "", "")
    guide.weigh(page, [], [page_id(url) for url in PAPERS[:12]])
    guide.ended(page, tell=True)
    moved = {after.url for _, after in guide.moves()}
    assert moved == set(PAPERS[2:12]), "the worst quarter is let go"


def test_a_few_links_are_tried_whatever_they_seem_to_be_worth_and_always_the_same() -> None:
    links = [Link(f"http://h.org/papers/z{n}.html", text="paper") for n in range(1_000)]
    found = weighed(taught(learning()), *links)
    tried = [at for at, value in enumerate(found) if value == 0.5]
    assert 5 <= len(tried) <= 30
    assert tried == [at for at, value in enumerate(weighed(taught(learning()), *links)) if value == 0.5]


def test_a_redirect_is_worth_what_led_to_it() -> None:
    source = requested(HOME, depth=0, priority=0.7)
    assert learning().weigh(source, new("http://h.org/new"), []) == [0.7]
