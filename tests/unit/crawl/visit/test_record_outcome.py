"""Recording an outcome: what goes into the batch, and what the frontier does with the host and the request."""

import asyncio
from typing import Any

import pytest
from tests.unit.crawl.visit.shard import NOON_S, START, TestShard, fetch

from gossamer.crawl.events import Notice, PageVisited
from gossamer.crawl.read_page import read
from gossamer.crawl.visit.cached_pages import CacheHit
from gossamer.crawl.visit.fetch_page import AwaitingWrite, RobotsAsked
from gossamer.crawl.visit.follow_shorter_path import ShorterPath
from gossamer.crawl.visit.host_turns import AddressBusy
from gossamer.crawl.visit.judge_page import JudgedPage, judge
from gossamer.crawl.visit.record_outcome import MOST_HOPS, record
from gossamer.fetch.fake_fetcher import make_response
from gossamer.fetch.fetcher import HostAddresses
from gossamer.fetch.socket_shortage import Shortage
from gossamer.net import url as urls
from gossamer.records import Failed, Fetched, NotModified, Outcome, Redirected, Refused, Request

PAGE = '<title>Start</title><a href="/one">one</a> <a href="/two">two</a> <a href="/one">again</a>'


def judge_page(shard: TestShard, request: Request, body: str = PAGE) -> tuple[Fetched, JudgedPage]:
    exchange = fetch(request.url, body, address="192.0.2.1", took_s=0.5)
    reading = read(request, exchange, "Gossamer")
    return Fetched(exchange), asyncio.run(judge(request, reading, shard.running, shard.clock))


def finish(shard: TestShard, outcome: Outcome | Shortage, **fields: Any) -> Request:
    request = shard.take(**fields)
    record(request, outcome, shard.context)
    shard.context.turns.end(request, shard.running)
    return request


def test_a_fetched_page_is_kept_with_its_links_its_visit_and_its_requests() -> None:
    shard = TestShard()
    request = shard.take()
    outcome, judged = judge_page(shard, request)
    record(request, outcome, shard.context, judged)
    batch = shard.context.pending.batch
    assert [page.title for page in batch.pages] == ["Start"]
    assert [url for _, url in batch.known] == ["http://a.example/one", "http://a.example/two"]
    assert [one.url for one in batch.requests] == [START, "http://a.example/one", "http://a.example/two"]
    assert [one.depth for one in batch.requests] == [0, 1, 1]
    assert len({one.number for one in batch.requests}) == 3
    assert batch.links[0].targets == [
        urls.page_id(f"http://a.example/{name}") for name in ("one", "two", "one")
    ]
    assert batch.finished == [request]
    [visit] = batch.visits
    assert (visit.result, visit.status, visit.took_s, visit.address) == ("fetched", 200, 0.5, "192.0.2.1")
    assert visit.text_digest == judged.reading.page.text_digest
    [entry] = shard.context.pending.exchanges
    assert (entry.visit_at, entry.page_at) == (0, 0)
    assert shard.running.tally.as_dict()["downloaded"] == 1
    [event] = shard.events
    assert isinstance(event, PageVisited)
    assert (event.url, event.result, event.took_s) == (START, "fetched", 0.5)


def test_the_host_rests_after_an_answer() -> None:
    shard = TestShard(delay_s=5.0)
    request = shard.take()
    outcome, judged = judge_page(shard, request)
    record(request, outcome, shard.context, judged)
    assert shard.context.frontier.take(NOON_S + 4.9) is None
    following = shard.context.frontier.take(NOON_S + 5.0)
    assert following is not None
    assert following.url == "http://a.example/one"


@pytest.mark.parametrize(
    ("outcome", "count", "result", "detail"),
    [
        (Refused("robots"), "refused:robots", "refused", ""),
        (Failed("status", "404"), "failed:404", "failed", "404"),
        (Failed("tls", "expired"), "failed:tls", "failed", "expired"),
        (NotModified(fetch(START)), "not modified", "not modified", ""),
        (Redirected(fetch(START), "http://b.example/"), "redirected", "redirected", "http://b.example/"),
    ],
)
def test_each_outcome_has_its_count_and_its_visit(
    outcome: Outcome, count: str, result: str, detail: str
) -> None:
    shard = TestShard()
    request = finish(shard, outcome)
    assert shard.running.tally[count] == shard.running.tally["finished"] == 1
    [visit] = shard.context.pending.batch.visits
    assert (visit.result, visit.detail) == (result, detail)
    assert shard.context.pending.batch.finished == [request]
    assert shard.context.pending.batch.pages == []


def test_a_temporary_failure_is_retried_and_only_the_last_one_counts() -> None:
    shard = TestShard(tries=2)
    finish(shard, Failed("timeout"))
    batch = shard.context.pending.batch
    assert [one.attempt for one in batch.retried] == [1]
    assert (batch.finished, shard.running.tally["finished"]) == ([], 0)
    assert [visit.result for visit in batch.visits] == ["failed"]
    shard.now_s += 1e6
    again = shard.context.frontier.take(shard.now_s)
    assert again is not None
    assert again.attempt == 1
    record(again, Failed("timeout"), shard.context)
    assert shard.running.tally["failed:timeout"] == 1
    assert batch.finished == [again]


def test_a_failure_that_asks_for_a_long_pause_is_written_at_once() -> None:
    shard = TestShard(tries=3)
    finish(shard, Failed("status", "503", retry_after_s=600.0))
    assert shard.context.pending.urgent
    assert shard.context.touched == {"a.example"}
    assert shard.context.frontier.take(NOON_S + 599) is None


def test_a_redirect_becomes_a_request_at_the_same_depth() -> None:
    shard = TestShard()
    finish(shard, Redirected(fetch(START), "/new"), depth=2)
    [_, new] = shard.context.pending.batch.requests
    assert (new.url, new.depth, new.hops, new.type) == ("http://a.example/new", 2, 1, "redirect")


def test_a_chain_of_redirects_ends() -> None:
    shard = TestShard()
    finish(shard, Redirected(fetch(START), "/new"), hops=MOST_HOPS)
    assert len(shard.context.pending.batch.requests) == 1
    assert [one.rule for one in shard.context.pending.batch.decisions] == ["redirects"]


def test_a_redirect_to_no_url_is_a_decision() -> None:
    shard = TestShard()
    finish(shard, Redirected(fetch(START), "http://["))
    assert [one.rule for one in shard.context.pending.batch.decisions] == ["bad redirect"]


def test_decisions_of_judging_go_into_the_batch() -> None:
    shard = TestShard()
    shard.task.link_filter(lambda link: False)
    request = shard.take()
    outcome, judged = judge_page(shard, request)
    assert judged.decisions
    record(request, outcome, shard.context, judged)
    assert shard.context.pending.batch.decisions == list(judged.decisions)


def test_a_page_from_the_cache_brings_requests_but_no_page() -> None:
    shard = TestShard()
    request = shard.take()
    _, judged = judge_page(shard, request)
    record(request, CacheHit(judged.reading), shard.context, judged)
    batch = shard.context.pending.batch
    assert (len(batch.requests), batch.pages, batch.links) == (3, [], [])
    assert shard.running.tally["cache hits"] == 1
    assert shard.context.frontier.take(NOON_S) is not None  # nobody was asked, so there is no pause


def test_a_shorter_path_corrects_the_depth_of_the_page() -> None:
    shard = TestShard(depth=3)
    request = shard.take(depth=1)
    _, judged = judge_page(shard, request)
    far = judged.reading.page.__class__(request.id, request.url, request.host, 1, 3, NOON_S, 200, "html")
    record(request, ShorterPath(far, judged.found, 2, 0), shard.context)
    batch = shard.context.pending.batch
    assert [page.depth for page in batch.pages] == [1]
    assert [one.depth for one in batch.requests] == [1, 2, 2]


def test_the_page_budget_of_a_host_ends_its_requests() -> None:
    shard = TestShard(per_host=1)
    request = shard.take()
    outcome, judged = judge_page(shard, request)
    record(request, outcome, shard.context, judged)
    assert shard.context.pending.batch.spent == [(1, "a.example", 1)]
    assert shard.context.given_up == {("a.example", 1, "per_host")}
    assert shard.context.frontier.take(NOON_S + 100) is None


def test_bodies_are_archived_only_if_the_task_keeps_them() -> None:
    shard = TestShard(bodies=False)
    request = shard.take()
    outcome, judged = judge_page(shard, request)
    record(request, outcome, shard.context, judged)
    assert shard.context.pending.exchanges == []
    assert len(shard.context.pending.batch.pages) == 1


def test_an_answer_without_a_page_is_archived_as_well() -> None:
    shard = TestShard()
    finish(shard, make_response(START, "gone", 404))
    [entry] = shard.context.pending.exchanges
    assert (entry.exchange.status, entry.page_at) == (404, None)


def test_a_request_that_waits_for_a_batch_is_taken_again_soon() -> None:
    shard = TestShard()
    finish(shard, AwaitingWrite())  # type: ignore[arg-type]
    assert not shard.context.pending.batch.finished
    assert shard.context.frontier.take(NOON_S) is None
    assert shard.context.frontier.take(NOON_S + 0.2) is not None


def test_a_request_whose_address_another_host_holds_waits_for_it() -> None:
    shard = TestShard(scope="any")
    where = HostAddresses(("192.0.2.1",))
    other = shard.take("http://b.example/")
    assert shard.context.turns.lock_address(other, where) is None
    request = shard.take()
    busy = shard.context.turns.lock_address(request, where)
    assert busy == AddressBusy()
    record(request, busy, shard.context)
    assert shard.context.pending.batch.finished == []
    assert shard.context.frontier.take(NOON_S) is None
    record(other, NotModified(fetch("http://b.example/")), shard.context)
    assert shard.context.frontier.take(NOON_S + 0.9) is None  # the pause of the address
    assert shard.context.frontier.take(NOON_S + 1.1) == request


def test_a_request_whose_address_another_shard_holds_waits_until_it_is_ready() -> None:
    shard = TestShard()
    request = shard.take()
    assert shard.context.turns.lock_address(request, HostAddresses(("192.0.2.1",))) is None
    record(request, AddressBusy(NOON_S + 3), shard.context)
    assert shard.context.frontier.take(NOON_S + 2.9) is None
    assert shard.context.frontier.take(NOON_S + 3.1) == request


def test_asking_for_robots_txt_is_a_visit_of_its_own_and_starts_the_pause() -> None:
    shard = TestShard(robots=True, delay_s=5.0)
    request = shard.take()
    answer = asyncio.run(_ask_robots(shard))
    record(request, RobotsAsked(answer), shard.context)
    batch = shard.context.pending.batch
    assert [visit.result for visit in batch.visits] == ["robots"]
    assert batch.known == [(urls.page_id(START + "robots.txt"), START + "robots.txt")]
    [entry] = shard.context.pending.exchanges
    assert (entry.via, entry.beyond) == (START, "P")
    assert batch.finished == []
    assert shard.context.frontier.take(NOON_S + 4.9) is None
    assert shard.context.frontier.take(NOON_S + 5.1) == request


async def _ask_robots(shard: TestShard) -> Any:
    async def free(host: str, addresses: tuple[str, ...]) -> bool:
        return True

    options = shard.running.fetch_options(Request(1, START, "a.example", 1))
    return await shard.context.robots.fetch("a.example", "http", HostAddresses(("192.0.2.1",)), options, free)


class TestShortage:
    def test_a_request_that_this_machine_could_not_send_waits_and_its_host_is_not_blamed(self) -> None:
        shard = TestShard()
        finish(shard, Shortage("no descriptor is left"))
        batch = shard.context.pending.batch
        assert (batch.visits, batch.finished, batch.retried, shard.context.touched) == ([], [], [], set())
        pace = shard.context.frontier.pace("a.example")
        assert pace is not None
        assert (pace.failures, pace.busy) == (0, False)
        assert shard.context.shortage.until_s > NOON_S
        assert shard.context.frontier.take(NOON_S) is None
        again = shard.context.frontier.take(shard.context.shortage.until_s)
        assert again is not None
        assert (again.url, again.attempt) == (START, 0)
        [notice] = shard.events
        assert isinstance(notice, Notice)
        assert notice.text.startswith("no descriptor is left; the crawl waits")

    def test_no_number_of_shortages_uses_up_the_tries_of_a_page(self) -> None:
        shard = TestShard(tries=1)
        shard.take()
        for _ in range(50):
            request = Request(urls.page_id(START), START, "a.example", 1, number=1)
            record(request, Shortage("no descriptor is left"), shard.context)
            shard.now_s = shard.context.shortage.until_s
            assert shard.context.frontier.take(shard.now_s) == request
        assert not shard.context.frontier.is_dead("a.example")
        assert len(shard.events) == 1

    def test_what_a_robots_file_exchanged_before_is_recorded_and_its_host_pauses(self) -> None:
        shard = TestShard()
        moved = make_response(
            "http://a.example/robots.txt", status=301, headers=[("Location", "http://b.example/")]
        )
        assert isinstance(moved, Redirected)
        request = finish(shard, Shortage("no descriptor is left", (moved.exchange,)))
        batch = shard.context.pending.batch
        assert [(visit.result, visit.status) for visit in batch.visits] == [("robots", 301)]
        assert shard.context.frontier.take(NOON_S + 0.9) is None
        assert shard.context.frontier.take(NOON_S + 1.1) == request

    def test_a_request_that_was_sent_is_no_visit_and_its_host_pauses(self) -> None:
        shard = TestShard(tries=1)
        request = finish(shard, Shortage("no memory is left", sent=True))
        batch = shard.context.pending.batch
        assert (batch.visits, batch.finished, batch.retried) == ([], [], [])
        pace = shard.context.frontier.pace("a.example")
        assert pace is not None
        assert (pace.failures, pace.busy) == (0, False)
        assert shard.context.frontier.take(NOON_S + 0.9) is None
        assert shard.context.frontier.take(NOON_S + 1.1) == request


def test_every_request_that_began_is_counted_out_once() -> None:
    shard = TestShard()
    request = shard.take()
    assert shard.running.under_way == 1
    record(request, Refused("robots"), shard.context)
    assert shard.running.under_way == 1  # recording does not count: the turn does
    shard.context.turns.end(request, shard.running)
    assert shard.running.under_way == 0
