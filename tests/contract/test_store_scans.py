"""Whole tables are read in pieces: everything, and each row once."""

from random import Random

from tests.contract.rows import Open, make_request, page

from gossamer.records import Decision, HostNote, Visit
from gossamer.store.batch import Batch, Store

MANY = 2_300
"""More rows than any store reads at once."""


def test_all_known_urls_are_yielded_once(store: Store) -> None:
    known = [(page_id, f"http://a.example/{page_id}") for page_id in range(-MANY, MANY, 2)]
    Random(1).shuffle(known)
    for at in range(0, len(known), 1000):
        store.commit(Batch(known=known[at : at + 1000]))
    assert sorted(store.known_urls()) == sorted(known)


def test_a_sample_of_known_urls_is_uniform_and_has_no_url_twice(store: Store) -> None:
    # The ids of pages are hashes: here, numbers from all over the range of 64 bits.
    chance = Random(3)
    known = [(chance.getrandbits(64) - (1 << 63), f"http://a.example/{at}") for at in range(MANY)]
    store.commit(Batch(known=known))
    drawn = store.sample_urls(500, 1)
    assert len(set(drawn)) == 500
    assert set(drawn) <= set(known)
    assert set(store.sample_urls(500, 1)) == set(drawn) != set(store.sample_urls(500, 2))
    first_half = {url for _, url in known[: MANY // 2]}
    assert 180 < sum(url in first_half for _, url in drawn) < 320  # 250 are expected, 6 standard deviations
    assert sorted(store.sample_urls(MANY + 10, 1)) == sorted(known)


def test_all_hosts_are_yielded_once(store: Store) -> None:
    hosts = [
        HostNote(f"h{at}.example", 1.5 * at, 0.5, at, "::1", b"x" if at % 2 else None) for at in range(MANY)
    ]
    store.commit(Batch(hosts=hosts))
    assert sorted(store.all_hosts(), key=lambda host: host.failures) == hosts


def test_all_requests_are_yielded_with_every_field(store: Store) -> None:
    chance = Random(2)
    requests = [
        make_request(
            number, f"h{number % 7}.example", chance.choice([-0.0, 0.1, 1 / 3, 7e300]), number % 3, number % 5
        )
        for number in range(1, MANY)
    ]
    store.commit(Batch(requests=requests))
    store.commit(Batch(finished=requests[:10]))
    assert sorted(store.all_requests(), key=lambda one: one.number) == requests[10:]


def test_all_sent_requests_are_yielded_with_their_shares(store: Store) -> None:
    sent = [(number * 31 % 65_536, make_request(number)) for number in range(1, MANY)]
    store.commit(Batch(sent=sent))
    [(first, _)] = store.inbox(0, 1, most=1)
    store.commit(Batch(received=[first]))
    assert list(store.all_sent()) == sent[1:]


def test_all_decisions_are_yielded_oldest_first(store: Store) -> None:
    decisions = [Decision(at % 5, 1, at / 7, "trap", f"\0{at}") for at in range(MANY)]
    store.commit(Batch(decisions=decisions))
    assert list(store.all_decisions()) == decisions


def test_all_budgets_are_yielded(store: Store) -> None:
    spent = [(at % 2, f"h{at}.example", at) for at in range(MANY)]
    store.commit(Batch(spent=spent))
    assert sorted(store.all_budgets()) == sorted(spent)


def test_rooms_are_those_with_notes(store: Store) -> None:
    store.commit(Batch(notes={(room, "x"): b"" for room in ("opened", "Zoo", "fresh", "empty")}))
    store.commit(Batch(notes={("empty", "x"): None, ("fresh", "y"): b""}))
    assert store.rooms() == ["Zoo", "fresh", "opened"]


def test_visits_are_counted_up_to_a_number(store: Store) -> None:
    for at in range(3):
        store.commit(Batch(visits=[Visit(at, 1, 0.0, "fetched"), Visit(at, 2, 0.0, "failed")]))
        assert store.count_visits(store.last_visit()) == 2 * at + 2
    assert store.count_visits(0) == 0


def test_the_last_number_can_be_set_and_never_falls(opens: Open) -> None:
    store = opens()
    store.commit(Batch(last_number=40))
    store.commit(Batch(requests=[make_request(7)], last_number=9))
    assert store.last_number() == 40
    store.commit(Batch(requests=[make_request(41)]))
    assert store.last_number() == 41
    store.close()


def test_an_empty_web_has_nothing_to_yield(store: Store) -> None:
    store.commit(Batch(pages=[page(1)]))
    scans = (store.known_urls, store.all_hosts, store.all_requests, store.all_sent, store.all_decisions)
    assert [list(scan()) for scan in (*scans, store.all_budgets)] == [[]] * 6
    assert store.rooms() == []
