"""Pages, URLs, tasks, hosts, visits and links are stored and read back."""

import struct

import msgspec
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.contract.rows import LinkRow, Open, link, page, to_columns

from gossamer.records import Decision, HostNote, PageLink, Visit
from gossamer.store.batch import Batch, Store, TaskNote

# Batches and pages


def test_an_empty_batch_is_false_and_changes_nothing(store: Store) -> None:
    assert not Batch()
    store.commit(Batch())
    assert set(store.counts().values()) == {0}
    assert list(store.seen_keys()) == []


def test_pages_are_read_back_unchanged(store: Store) -> None:
    first = page(
        -(2**63),
        title="Größe \0 🕸",
        marks={"topic": "spiders"},
        digest="sha1:A",
        index=False,
        simhash=2**63 - 1,
    )
    second = page(5, cut="length", warc="a.warc.gz", warc_offset=2**40)
    store.commit(Batch(pages=[first, second]))
    assert store.page(first.id) == first
    assert list(store.pages()) == [first, second]
    assert store.page(6) is None


def test_a_page_fetched_again_is_updated_in_its_place(store: Store) -> None:
    store.commit(Batch(pages=[page(1, title="old"), page(2)]))
    store.commit(Batch(pages=[page(1, title="new", cut="time")]))
    assert [(each.id, each.title) for each in store.pages()] == [(1, "new"), (2, "")]
    assert store.counts()["pages"] == 2


def test_the_first_pages_of_payloads_are_found_by_their_digests(store: Store) -> None:
    same = [page(9, digest="sha1:B"), page(3, digest="sha1:B"), page(4, digest="sha1:C", title="whole")]
    others = [page(number, digest=f"sha1:{number}") for number in range(10, 610)]
    store.commit(Batch(pages=[*same, *others]))
    found = store.pages_by_digest(["sha1:B", "sha1:Z", "sha1:C", *(each.digest for each in others)])
    assert found == {each.digest: each for each in (same[0], same[2], *others)}
    assert store.pages_by_digest([]) == {}


def test_more_pages_than_are_read_at_once_stay_in_order(store: Store) -> None:
    store.commit(Batch(pages=[page(number) for number in range(1201, 0, -1)]))
    assert [each.id for each in store.pages()] == list(range(1201, 0, -1))


# Known URLs, tasks, hosts, visits and notes


def test_seen_keys_are_complete_and_survive(store: Store, opens: Open) -> None:
    store.commit(Batch(known=[(-1, "http://a/"), (2**63 - 1, "http://b/")], scheduled=[5, -(2**63)]))
    store.commit(Batch(scheduled=[6]))
    again = opens()
    pieces = list(again.seen_keys())
    packed = b"".join(keys for _, keys in pieces)
    assert list(again.seen_keys(after=pieces[0][0])) == pieces[1:]
    again.close()
    assert sorted(struct.unpack(f"<{len(packed) // 8}q", packed)) == sorted([-1, 2**63 - 1, 5, -(2**63), 6])


def test_urls_of_fetched_and_known_pages(store: Store) -> None:
    heard = [(number, f"http://a.example/{number}") for number in range(-700, 700)]
    store.commit(Batch(known=heard[:900], pages=[page(1000)]))
    assert store.url(-700) == "http://a.example/-700"
    store.commit(Batch(known=heard[900:]))
    assert store.url(699) == "http://a.example/699"
    assert store.url(1000) == "http://h1.example/1000"
    assert store.url(12345) is None
    assert store.urls([*range(-700, 700), 12345]) == dict(heard)


def test_pages_are_returned_by_their_ids(store: Store) -> None:
    pages = {number: page(number) for number in range(-600, 600)}
    store.commit(Batch(pages=list(pages.values()), known=[(1_000, "http://a.example/known")]))
    assert store.pages_by_id([*pages, 1_000, 12_345]) == pages
    assert store.pages_by_id([]) == {}
    assert store.page(-600) == pages[-600]
    assert store.page(1_000) is None


def test_tasks_keep_their_counts(store: Store, opens: Open) -> None:
    one = TaskNote(1, "one", b'{"seeds": []}', counts={"checked": 3, "filtered:scope": 2})
    two = TaskNote(2, "two", b"{}", created_s=1.25)
    store.commit(Batch(tasks=[two, one]))
    ended = TaskNote(1, "one", b"{}", "finished", "nothing left", ended_s=9.5)
    store.commit(Batch(tasks=[ended], counted=[(1, {"checked": 1})]))
    again = opens()
    counts = {"checked": 4, "filtered:scope": 2}
    assert again.tasks() == [msgspec.structs.replace(ended, counts=counts), two]
    again.close()


def test_two_tasks_may_have_one_name(store: Store) -> None:
    store.commit(Batch(tasks=[TaskNote(1, "same", b"{}")]))
    store.commit(Batch(tasks=[TaskNote(2, "same", b"{}")]))
    assert [task.number for task in store.tasks()] == [1, 2]


def test_host_notes_are_read_back_unchanged(store: Store) -> None:
    full = HostNote("a.example", 12.5, 3.0, 2, "192.0.2.1", b"User-agent: *\0\xff", 200, 11.0)
    store.commit(Batch(hosts=[full, HostNote("b.example")]))
    assert store.host("a.example") == full
    note = store.host("b.example")
    assert note is not None
    assert note.robots is None
    store.commit(Batch(hosts=[HostNote("a.example", 99.0)]))
    assert store.host("a.example") == HostNote("a.example", 99.0)
    assert store.host("c.example") is None


def test_visits_and_decisions_are_a_history(store: Store) -> None:
    visits = [
        Visit(1, 1, 10.0, "failed", cause="timeout"),
        Visit(1, 1, 20.0, "fetched", 200, warc="w", warc_offset=7),
    ]
    decisions = [Decision(1, 1, 5.0, "trap", "/a/a/a"), Decision(1, 2, 6.0, "per_host")]
    store.commit(
        Batch(visits=[visits[0], Visit(2, 1, 11.0, "refused", cause="robots")], decisions=decisions[:1])
    )
    store.commit(Batch(visits=visits[1:], decisions=decisions[1:]))
    assert store.visits(1) == visits
    assert store.decisions(1) == decisions
    assert not store.visits(3)
    assert not store.decisions(3)
    assert [visit.when_s for visit in store.all_visits()] == [10.0, 11.0, 20.0]


def test_decisions_are_found_by_their_rule(store: Store) -> None:
    traps = [Decision(number, 1, float(number), "trap", f"near copies: /{number}") for number in (5, 3)]
    store.commit(Batch(decisions=[traps[0], Decision(4, 1, 0.0, "no_calendar"), traps[1]]))
    assert store.decisions_by_rule("trap") == traps
    assert store.decisions_by_rule("tra_") == []


def test_archive_ends_are_updated(store: Store) -> None:
    store.commit(Batch(archive_ends={"a.warc.gz": 10, "b.warc.gz": 2**41}))
    store.commit(Batch(archive_ends={"a.warc.gz": 30}))
    assert store.archive_ends() == {"a.warc.gz": 30, "b.warc.gz": 2**41}


# Links


def test_notes_of_rooms_are_separate_and_can_be_replaced_and_deleted(store: Store, opens: Open) -> None:
    first: dict[tuple[str, str], bytes | None] = {("order", name): name.encode() for name in "bac"}
    store.commit(Batch(notes=first | {("fresh", "a"): b"other"}))
    store.commit(Batch(notes={("order", "a"): b"\0new", ("order", "b"): None, ("order", "never"): None}))
    again = opens()
    assert again.notes("order") == [("a", b"\0new"), ("c", b"c")]
    assert again.notes("order", after="a", most=1) == [("c", b"c")]
    found = [again.note("order", "a"), again.note("order", "b"), again.note("fresh", "a")]
    assert found == [b"\0new", None, b"other"]
    again.close()


def test_links_are_found_by_source_and_by_target(store: Store) -> None:
    rows: list[LinkRow] = [
        (1, 2, "a", "two", False, False, False),
        (1, 3, "frame", "", True, True, True),
        (1, 2, "redirect", "two again", False, True, False),
        (5, 2, "seed", "Größe", False, False, True),
    ]
    store.commit(Batch(links=to_columns(rows)))
    assert store.links_from(1) == [PageLink(*row) for row in rows[:3]]
    assert store.links_to(2) == [PageLink(*row) for row in (rows[0], rows[2], rows[3])]
    assert store.links_to(2, most=1) == [PageLink(*rows[0])]
    assert store.links_to(1) == store.links_from(2) == []
    assert list(store.links()) == [PageLink(*row) for row in rows]
    packed = {source: (number, len(kinds)) for number, source, _, kinds, _ in store.link_rows()}
    assert {source: links for source, (_, links) in packed.items()} == {1: 3, 5: 1}
    assert list(store.redirects()) == [(1, 2)]
    first, last = packed[1][0], packed[5][0]
    assert store.link_texts([first, last, last + 1]) == {first: ["two", "", "two again"], last: ["Größe"]}


def test_links_of_a_page_read_again_replace_the_old_ones(store: Store) -> None:
    store.commit(Batch(links=to_columns([link(1, 2), link(1, 3), link(4, 2)])))
    assert len(store.links_to(2)) == 2
    store.commit(Batch(links=to_columns([link(1, 3, "new")])))
    assert store.links_from(1) == [PageLink(*link(1, 3, "new"))]
    assert store.links_to(2) == [PageLink(*link(4, 2))]
    assert store.counts()["links"] == 2
    store.commit(Batch(read=[1, 9]))  # page 1 has no links any more, page 9 never had any
    assert (store.links_from(1), store.links_to(3)) == ([], [])
    assert store.counts()["links"] == 1


def test_links_to_start_pages_accumulate(store: Store) -> None:
    store.commit(Batch(links=to_columns([link(0, 2)])))
    store.commit(Batch(links=to_columns([link(0, 3)])))
    assert [each.target for each in store.links_from(0)] == [2, 3]


def test_links_added_during_a_look_up_are_not_missed(store: Store) -> None:
    for number in range(1, 451):
        store.commit(
            Batch(
                links=to_columns([link(number, 0), link(number, number % 7)]),
                known=[(number, f"http://x/{number}")],
            )
        )
        if number % 90 == 0:
            assert len(store.links_to(0, most=1000)) == number + number // 7
            assert store.count_links_to(0) == number + number // 7
            assert store.url(number) == f"http://x/{number}"


def test_text_that_no_database_can_store_does_not_stop_the_crawl(store: Store) -> None:
    store.commit(
        Batch(
            pages=[page(1, title="a\ud800b", marks={"k": "\udfff"})],
            links=to_columns([link(1, 2, "x\udc00y")]),
        )
    )
    kept = store.page(1)
    assert kept is not None
    assert (kept.title, kept.marks["k"]) == ("a\ufffdb", "\ufffd")
    assert store.links_from(1)[0].text == "x\ufffdy"


IDS = st.integers(-(2**63), 2**63 - 1)


TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.tuples(IDS.filter(bool), IDS, TEXTS, st.booleans()), max_size=20))
def test_arbitrary_links_are_read_back_unchanged(
    store: Store, links: list[tuple[int, int, str, bool]]
) -> None:
    sources = {source for source, *_ in links}
    rows: list[LinkRow] = [(s, t, "area", text, flag, not flag, False) for s, t, text, flag in links]
    store.commit(Batch(links=to_columns(rows)))
    for source in sources:
        assert store.links_from(source) == [PageLink(*row) for row in rows if row[0] == source]
