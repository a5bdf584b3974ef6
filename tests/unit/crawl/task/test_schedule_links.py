"""Scheduling links: what is new, what the rules follow, and what other shards get."""

from collections import Counter
from typing import Any

import pytest

from gossamer.config import from_options
from gossamer.crawl.host_shards import WHOLE, Territory, share_of
from gossamer.crawl.task.schedule_links import LinkScheduler
from gossamer.crawl.task.scope_rules import FOLLOW, ScopeRules
from gossamer.crawl.task_counts import Tally
from gossamer.frontier.seen_set import SeenSet
from gossamer.net import url as urls
from gossamer.order import find_order
from gossamer.records import Link, Page, Request
from gossamer.store.batch import KIND_OF_TYPE, NOFOLLOW, SPANS_HOSTS, SPANS_SITES, Batch

START = "http://a.example/"
SOURCE = Request(urls.page_id(START), START, "a.example", 1)


def scheduler(seen: SeenSet | None = None, territory: Territory = WHOLE, **options: Any) -> LinkScheduler:
    spec = from_options(**{"seeds": [START], "scope": "any"} | options)
    return LinkScheduler(
        number=1,
        rules=ScopeRules(spec, (START,)),
        order=find_order(spec.order),
        seen=seen if seen is not None else SeenSet(),
        traps=None,
        tally=Tally(),
        site_rule=spec.site_rule,
        territory=territory,
    )


def links(*names: str) -> list[Link]:
    return [Link(START + name) for name in names]


def schedule(one: LinkScheduler, found: list[Link], depth: int = 1) -> list[str]:
    batch = Batch()
    return [each.url for each in one.schedule(SOURCE, depth, one.find_candidates(found, depth), batch)]


def test_each_page_is_scheduled_once() -> None:
    one = scheduler()
    assert schedule(one, links("x", "y", "x")) == [START + "x", START + "y"]
    assert schedule(one, links("y", "z")) == [START + "z"]


def test_counts_add_up_to_the_links_that_were_checked() -> None:
    one = scheduler(scope="host")
    schedule(one, [*links("x", "x", "y"), Link("http://b.example/")])
    counts = one._tally.as_dict()
    assert counts["checked"] == 4
    assert counts["queued"] == 2
    assert counts["filtered:scope"] == 1
    assert counts["seen"] == 1


def test_requests_carry_depth_parent_type_and_hops() -> None:
    one, batch = scheduler(), Batch()
    found = one.find_candidates([Link(START + "x", "frame")], 3)
    [request] = one.schedule(SOURCE, 3, found, batch, hops=2)
    assert (request.depth, request.parent, request.type, request.hops) == (3, SOURCE.id, "frame", 2)
    assert request.number == 0  # the shard gives it
    assert len(batch.scheduled) == 1


def test_a_page_beyond_the_depth_limit_is_filtered() -> None:
    found = scheduler(depth=2).find_candidates(links("x"), 3)
    assert (found.at, found.filtered) == ([], Counter({"depth": 1}))


def test_with_a_depth_limit_a_shorter_path_schedules_again_and_a_longer_one_does_not() -> None:
    one = scheduler(depth=5)
    assert schedule(one, links("x"), 3) == [START + "x"]
    assert schedule(one, links("x"), 4) == []
    assert schedule(one, links("x"), 2) == [START + "x"]
    assert schedule(one, links("x"), 2) == []
    assert one.find_depths([urls.page_id(START + "x")]) == {urls.page_id(START + "x"): 2}


def test_without_a_depth_limit_the_path_does_not_matter() -> None:
    one = scheduler()
    assert schedule(one, links("x"), 3) == [START + "x"]
    assert schedule(one, links("x"), 1) == []


def test_links_are_recorded_with_their_kinds_and_new_urls_once() -> None:
    one, batch = scheduler(), Batch()
    found = one.find_candidates(
        [Link(START + "x", rel="nofollow"), Link("http://www.a.example/"), Link("http://b.test/", "frame")], 1
    )
    new = one.record_links(SOURCE, found, batch, keep_links=True)
    assert [url for _, url in new] == [START + "x", "http://www.a.example/", "http://b.test/"]
    assert batch.known == new
    assert batch.read == [SOURCE.id]
    assert list(batch.links[0].kinds) == [
        KIND_OF_TYPE["a"] + NOFOLLOW,
        KIND_OF_TYPE["a"] + SPANS_HOSTS,
        KIND_OF_TYPE["frame"] + SPANS_HOSTS + SPANS_SITES,
    ]
    assert one.record_links(SOURCE, found, batch, keep_links=False) == []
    assert len(batch.links) == 1


def test_links_to_hosts_of_another_shard_are_sent_and_not_counted_here() -> None:
    territory = Territory(0, 2)
    hosts = [f"h{number}.example" for number in range(20)]
    own = [host for host in hosts if territory.owns(host)]
    assert 0 < len(own) < len(hosts)
    one, batch = scheduler(territory=territory), Batch()
    found = one.find_candidates([Link(f"http://{host}/") for host in hosts], 1)
    requests = one.schedule(SOURCE, 1, found, batch)
    assert [request.host for request in requests] == own
    assert [(share, request.host) for share, request in batch.sent] == [
        (share_of(host), host) for host in hosts if host not in own
    ]
    assert one._tally["checked"] == len(own)


def test_start_pages_that_are_wanted_again_are_accepted_although_they_are_scheduled() -> None:
    one, batch = scheduler(scope="host"), Batch()
    sent = [Request(number, f"http://a.example/{number}", "a.example", 1, type="seed") for number in (1, 2)]
    assert one.accept(sent, batch, lambda _: FOLLOW) == sent
    assert one.accept(sent, batch, lambda _: FOLLOW, lambda request: request.id == 2) == sent[1:]


def test_what_others_send_is_accepted_once_and_start_pages_in_any_case() -> None:
    one, batch = scheduler(scope="host"), Batch()
    one.full_hosts.add("full.example")
    sent = [
        Request(1, "http://a.example/x", "a.example", 1, 1),
        Request(1, "http://a.example/x", "a.example", 1, 1),
        Request(2, "http://full.example/", "full.example", 1, 1),
        Request(3, "http://full.example/start", "full.example", 1, type="seed"),
        Request(4, "http://b.example/", "b.example", 1, 1),
    ]
    accepted = one.accept(sent, batch, lambda request: "filter" if request.id == 4 else FOLLOW)
    assert [request.id for request in accepted] == [1, 3]
    assert one._tally["filtered:per_host"] == one._tally["filtered:filter"] == 1


@pytest.mark.parametrize("digest", [0, 7])
def test_a_text_is_seen_after_it_was_recorded(digest: int) -> None:
    one, batch = scheduler(), Batch()
    page = Page(1, START, "a.example", 1, 0, 0.0, 200, "html", text_digest=digest)
    assert not one.has_seen_text(page)
    one.record_text(page, batch)
    assert one.has_seen_text(page) == bool(digest)
    assert len(batch.scheduled) == bool(digest)


def test_visited_pages_are_known_only_with_a_depth_limit() -> None:
    limited, unlimited = scheduler(depth=3), scheduler()
    limited.record_done(9, Batch())
    unlimited.record_done(9, Batch())
    assert (limited.is_done(9), unlimited.is_done(9)) == (True, False)


def test_candidates_can_be_limited_to_some_pages() -> None:
    found = scheduler().find_candidates(links("x", "y"), 1)
    assert [found.links.urls[at] for at in found.keep_only({urls.page_id(START + "y")}).at] == [START + "y"]
