import asyncio
from itertools import pairwise

import msgspec
import pytest

from gossamer.config import Fetching
from gossamer.fetch.fake_fetcher import FakeFetcher, Pages, answer
from gossamer.fetch.fetcher import Ask, Located
from gossamer.fetch.robots_cache import ASK_AGAIN_S, OLD_COPY_S, RobotsAnswer, RobotsCache
from gossamer.net.robots import MAX_BYTES
from gossamer.records import Exchange, Failed, Fetched, HostNote, Outcome, Redirected

ASK = Ask(Fetching(), "Gossamer/0.1", auth="user:pass")
WHERE = Located(("93.184.216.34",))
ROBOTS = "http://a.example/robots.txt"
RULES = "User-agent: *\nDisallow: /private\nCrawl-delay: 3\nSitemap: http://a.example/map.xml\n"
DAY_S = 86_400.0


class Time:
    def __init__(self) -> None:
        self.now_s = 1_000_000.0

    def __call__(self) -> float:
        return self.now_s


def asked(pages: Pages, addresses: dict[str, str] | None = None) -> tuple[RobotsAnswer, FakeFetcher]:
    fetcher = FakeFetcher(pages, addresses)
    cache = RobotsCache(fetcher)
    return asyncio.run(cache.ask("a.example", "http", WHERE, ASK)), fetcher


def redirect(url: str, location: str) -> Outcome:
    return answer(url, status=301, headers=[("Location", location)])


def cut(outcome: Outcome, why: str) -> Outcome:
    assert isinstance(outcome, Fetched)
    return Fetched(msgspec.structs.replace(outcome.exchange, cut=why))


def refusals(answer: RobotsAnswer) -> list[str | None]:
    return [answer.refusal(f"http://a.example/{path}", "Gossamer") for path in ("private/x", "public")]


EVERYTHING = [None, None]
NOTHING = ["robots unreachable"] * 2


def test_rules_hold() -> None:
    got, fetcher = asked({ROBOTS: answer(ROBOTS, RULES)})
    assert refusals(got) == ["robots", None]
    assert got.delay_s("Gossamer") == 3.0
    assert got.rules is not None
    assert got.rules.sitemaps == ("http://a.example/map.xml",)
    assert (got.status, got.body) == (200, RULES.encode())
    assert [request.url for request in fetcher.asked] == [ROBOTS]
    assert [exchange.url for exchange in got.exchanges] == [ROBOTS]


@pytest.mark.parametrize("status", [400, 401, 403, 404, 410, 418, 451])
def test_unavailable_means_everything(status: int) -> None:
    got, _ = asked({ROBOTS: answer(ROBOTS, status=status)})
    assert refusals(got) == EVERYTHING
    assert (got.status, got.body) == (status, None)
    assert got.delay_s("Gossamer") == 0.0


@pytest.mark.parametrize(
    "outcome",
    [
        answer(ROBOTS, status=429),
        answer(ROBOTS, status=500),
        answer(ROBOTS, status=503),
        Failed("timeout"),
        Failed("dns"),
        Failed("reset"),
        Failed("protocol"),
        Failed("too_large"),
        cut(answer(ROBOTS, RULES), "connection"),
        cut(answer(ROBOTS, RULES), "time"),
    ],
)
def test_unreachable_means_nothing(outcome: Outcome) -> None:
    got, _ = asked({ROBOTS: outcome})
    assert refusals(got) == NOTHING
    assert got.detail


def test_a_file_that_is_too_long_is_read_as_far_as_it_counts() -> None:
    long = RULES + "#" * MAX_BYTES
    got, _ = asked(lambda url, ask: cut(answer(url, long[: ask.settings.page_bytes]), "length"))
    assert refusals(got) == ["robots", None]
    assert got.body is not None
    assert len(got.body) == MAX_BYTES + 1


class TestRedirects:
    def test_five_are_followed_also_to_other_hosts(self) -> None:
        urls = [ROBOTS, "https://a.example/robots.txt", *(f"https://b{n}.example/r" for n in range(4))]
        pages = {url: redirect(url, after) for url, after in pairwise(urls)}
        got, fetcher = asked({**pages, urls[-1]: answer(urls[-1], RULES)})
        assert refusals(got) == ["robots", None]
        assert [exchange.url for exchange in got.exchanges] == urls
        assert fetcher.located == ["b0.example", "b1.example", "b2.example", "b3.example"]

    def test_a_sixth_is_not(self) -> None:
        got, fetcher = asked(lambda url, ask: redirect(url, url + "x"))
        assert refusals(got) == EVERYTHING
        assert len(fetcher.asked) == 6

    def test_each_hop_is_announced_and_may_be_forbidden(self) -> None:
        there = "http://b.example/r"
        pages = {
            ROBOTS: redirect(ROBOTS, "/s"),
            "http://a.example/s": redirect("", there),
            there: answer(there, RULES),
        }
        told: list[str] = []

        async def hop(host: str, addresses: tuple[str, ...]) -> bool:
            assert addresses
            told.append(host)
            return host in allowed

        allowed = {"a.example", "b.example"}
        cache = RobotsCache(FakeFetcher(pages))
        assert refusals(asyncio.run(cache.ask("a.example", "http", WHERE, ASK, hop))) == ["robots", None]
        assert told == ["a.example", "b.example"]
        allowed.remove("b.example")
        fetcher = FakeFetcher(pages)
        assert (
            refusals(asyncio.run(RobotsCache(fetcher).ask("a.example", "http", WHERE, ASK, hop))) == NOTHING
        )
        assert len(fetcher.asked) == 2

    def test_relative_ones_are_resolved(self) -> None:
        got, _ = asked({ROBOTS: redirect(ROBOTS, "/r"), "http://a.example/r": answer("", RULES)})
        assert refusals(got) == ["robots", None]

    @pytest.mark.parametrize(
        "location", ["ftp://b.example/robots.txt", "mailto:x@y", "http://", "javascript:1"]
    )
    def test_one_that_leads_nowhere_means_everything(self, location: str) -> None:
        got, _ = asked({ROBOTS: redirect(ROBOTS, location)})
        assert refusals(got) == EVERYTHING

    @pytest.mark.parametrize(
        "location", ["http://10.0.0.1/robots.txt", "http://inside.example/", "http://dead.example/"]
    )
    def test_one_to_a_private_or_unknown_place_means_nothing(self, location: str) -> None:
        got, fetcher = asked(
            {ROBOTS: redirect(ROBOTS, location)}, {"inside.example": "192.168.0.1", "dead.example": ""}
        )
        assert refusals(got) == NOTHING
        assert [request.url for request in fetcher.asked] == [ROBOTS]

    def test_other_hosts_do_not_get_the_password(self) -> None:
        said: list[str] = []

        def pages(url: str, ask: Ask) -> Outcome:
            said.append(ask.auth)
            return redirect(url, "/again") if len(said) == 1 else redirect(url, "http://b.example/")

        asked(pages)
        assert said == ["user:pass", "user:pass", "", "", "", ""]


class TestMemory:
    def test_an_answer_is_known_until_it_is_too_old(self) -> None:
        now = Time()
        cache = RobotsCache(FakeFetcher({ROBOTS: answer(ROBOTS, RULES)}), now)
        assert cache.known("a.example", DAY_S) is None
        asyncio.run(cache.ask("a.example", "http", WHERE, ASK))
        now.now_s += DAY_S - 1
        known = cache.known("a.example", DAY_S)
        assert known is not None
        assert refusals(known) == ["robots", None]
        assert known.exchanges == ()
        assert cache.known("a.example", DAY_S / 2) is None
        now.now_s += 2
        assert cache.known("a.example", DAY_S) is None

    def test_an_unreachable_one_is_asked_for_again_after_a_while(self) -> None:
        now = Time()
        cache = RobotsCache(FakeFetcher({ROBOTS: Failed("timeout")}), now)
        asyncio.run(cache.ask("a.example", "http", WHERE, ASK))
        now.now_s += ASK_AGAIN_S - 1
        known = cache.known("a.example", DAY_S)
        assert known is not None
        assert refusals(known) == NOTHING
        now.now_s += 2
        assert cache.known("a.example", DAY_S) is None

    def test_a_server_may_ask_for_more_time(self) -> None:
        now = Time()
        busy = answer(ROBOTS, status=503, headers=[("Retry-After", "7200")])
        cache = RobotsCache(FakeFetcher({ROBOTS: busy}), now)
        asyncio.run(cache.ask("a.example", "http", WHERE, ASK))
        now.now_s += 7000
        assert cache.known("a.example", DAY_S) is not None
        now.now_s += 300
        assert cache.known("a.example", DAY_S) is None

    def test_an_old_copy_serves_for_thirty_days(self) -> None:
        now = Time()
        pages: dict[str, Outcome] = {ROBOTS: answer(ROBOTS, RULES)}
        cache = RobotsCache(FakeFetcher(pages), now)
        first = asyncio.run(cache.ask("a.example", "http", WHERE, ASK))
        pages[ROBOTS] = Failed("timeout")
        now.now_s += OLD_COPY_S - 1
        still = asyncio.run(cache.ask("a.example", "http", WHERE, ASK))
        assert refusals(still) == ["robots", None]
        assert still.asked_s == first.asked_s, "its age goes on"
        assert cache.known("a.example", DAY_S) is not None
        now.now_s += ASK_AGAIN_S + 1
        assert cache.known("a.example", DAY_S) is None
        assert refusals(asyncio.run(cache.ask("a.example", "http", WHERE, ASK))) == NOTHING

    def test_a_missing_file_is_no_copy(self) -> None:
        pages: dict[str, Outcome] = {ROBOTS: answer(ROBOTS, status=404)}
        cache = RobotsCache(FakeFetcher(pages))
        asyncio.run(cache.ask("a.example", "http", WHERE, ASK))
        pages[ROBOTS] = Failed("timeout")
        assert refusals(asyncio.run(cache.ask("a.example", "http", WHERE, ASK))) == NOTHING

    @pytest.mark.parametrize(
        "outcome",
        [
            answer(ROBOTS, RULES),
            answer(ROBOTS, ""),
            answer(ROBOTS, status=404),
            answer(ROBOTS, status=429),
            answer(ROBOTS, status=500),
            Failed("timeout"),
            cut(answer(ROBOTS, RULES), "time"),
            redirect(ROBOTS, "mailto:x@y"),
        ],
    )
    def test_a_note_of_it_says_the_same_after_a_restart(self, outcome: Outcome) -> None:
        now = Time()
        cache = RobotsCache(FakeFetcher({ROBOTS: outcome}), now)
        before = asyncio.run(cache.ask("a.example", "http", WHERE, ASK))
        note = cache.note(HostNote("a.example", ready_s=5.0))
        assert (note.ready_s, note.robots_s) == (5.0, now.now_s)
        other = RobotsCache(FakeFetcher({}), now)
        other.prime(note)
        after = other.known("a.example", DAY_S)
        assert after is not None
        assert refusals(after) == refusals(before)

    def test_a_host_never_asked_has_nothing_to_note(self) -> None:
        cache = RobotsCache(FakeFetcher({}))
        note = HostNote("a.example")
        assert cache.note(note) is note
        cache.prime(note)
        assert cache.known("a.example", DAY_S) is None

    def test_what_is_known_is_not_replaced_by_a_note(self) -> None:
        now = Time()
        cache = RobotsCache(FakeFetcher({ROBOTS: answer(ROBOTS, RULES)}), now)
        asyncio.run(cache.ask("a.example", "http", WHERE, ASK))
        cache.prime(HostNote("a.example", robots=b"", robots_status=200, robots_s=1.0))
        known = cache.known("a.example", DAY_S)
        assert known is not None
        assert refusals(known) == ["robots", None]

    def test_hosts_and_bytes_are_bounded(self) -> None:
        cache = RobotsCache(FakeFetcher({}), lambda: 1.0, known_hosts=3, known_bytes=100)
        for name in "abcd":
            cache.prime(HostNote(name, robots=b"x" * 10, robots_status=200, robots_s=1.0))
        assert [name for name in "abcd" if cache.known(name, DAY_S)] == ["b", "c", "d"]
        cache.prime(HostNote("e", robots=b"x" * 95, robots_status=200, robots_s=1.0))
        assert [name for name in "abcde" if cache.known(name, DAY_S)] == ["e"]
        cache.prime(HostNote("f", robots=b"x" * 500, robots_status=200, robots_s=1.0))
        assert [name for name in "abcdef" if cache.known(name, DAY_S)] == ["f"]


def test_an_exchange_of_an_error_is_told_as_well() -> None:
    got, _ = asked({ROBOTS: answer(ROBOTS, status=500)})
    assert [type(exchange) for exchange in got.exchanges] == [Exchange]
    assert isinstance(redirect(ROBOTS, "/x"), Redirected)
