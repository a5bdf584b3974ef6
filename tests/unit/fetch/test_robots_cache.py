import asyncio
from itertools import pairwise
from typing import Literal

import msgspec
import pytest

from gossamer.config import Fetching
from gossamer.fetch.fake_fetcher import FakeFetcher, Pages, make_response
from gossamer.fetch.fetcher import FetchOptions, HostAddresses
from gossamer.fetch.robots_cache import OLD_COPY_S, RETRY_S, BeforeRedirect, RobotsAnswer, RobotsCache
from gossamer.fetch.socket_shortage import Shortage
from gossamer.net.robots import MAX_BYTES
from gossamer.records import Exchange, Failed, Fetched, HostNote, Outcome, Redirected

OPTIONS = FetchOptions(Fetching(), "Gossamer/0.1", auth="user:pass")
WHERE = HostAddresses(("93.184.216.34",))
ROBOTS = "http://a.example/robots.txt"
RULES = "User-agent: *\nDisallow: /private\nCrawl-delay: 3\nSitemap: http://a.example/map.xml\n"
DAY_S = 86_400.0


class Time:
    def __init__(self) -> None:
        self.now_s = 1_000_000.0

    def __call__(self) -> float:
        return self.now_s


def fetch_robots(pages: Pages, addresses: dict[str, str] | None = None) -> tuple[RobotsAnswer, FakeFetcher]:
    fetcher = FakeFetcher(pages, addresses)
    cache = RobotsCache(fetcher)
    return fetch_cached(cache), fetcher


def fetch_cached(cache: RobotsCache, before_redirect: BeforeRedirect | None = None) -> RobotsAnswer:
    answer = asyncio.run(cache.fetch("a.example", "http", WHERE, OPTIONS, before_redirect))
    assert isinstance(answer, RobotsAnswer)
    return answer


def redirect(url: str, location: str) -> Outcome:
    return make_response(url, status=301, headers=[("Location", location)])


def cut(outcome: Outcome, why: str) -> Outcome:
    assert isinstance(outcome, Fetched)
    return Fetched(msgspec.structs.replace(outcome.exchange, cut=why))


def refusals(answer: RobotsAnswer) -> list[str | None]:
    return [answer.check_url(f"http://a.example/{path}", "Gossamer") for path in ("private/x", "public")]


EVERYTHING = [None, None]
NOTHING = ["robots unreachable"] * 2


def test_the_rules_of_the_file_apply() -> None:
    got, fetcher = fetch_robots({ROBOTS: make_response(ROBOTS, RULES)})
    assert refusals(got) == ["robots", None]
    assert got.delay_s("Gossamer") == 3.0
    assert got.rules is not None
    assert got.rules.sitemaps == ("http://a.example/map.xml",)
    assert (got.status, got.body) == (200, RULES.encode())
    assert [request.url for request in fetcher.requests] == [ROBOTS]
    assert [exchange.url for exchange in got.exchanges] == [ROBOTS]


@pytest.mark.parametrize("status", [400, 401, 403, 404, 410, 418, 451])
def test_an_unavailable_file_allows_everything(status: int) -> None:
    got, _ = fetch_robots({ROBOTS: make_response(ROBOTS, status=status)})
    assert refusals(got) == EVERYTHING
    assert (got.status, got.body) == (status, None)
    assert got.delay_s("Gossamer") == 0.0


@pytest.mark.parametrize(
    "outcome",
    [
        make_response(ROBOTS, status=429),
        make_response(ROBOTS, status=500),
        make_response(ROBOTS, status=503),
        Failed("timeout"),
        Failed("dns"),
        Failed("reset"),
        Failed("protocol"),
        Failed("too_large"),
        cut(make_response(ROBOTS, RULES), "connection"),
        cut(make_response(ROBOTS, RULES), "time"),
    ],
)
def test_an_unreachable_file_allows_nothing(outcome: Outcome) -> None:
    got, _ = fetch_robots({ROBOTS: outcome})
    assert refusals(got) == NOTHING
    assert got.detail


@pytest.mark.parametrize("cause", ["connect", "tls"])
def test_a_host_without_a_connection_is_not_blamed_on_its_file(cause: Literal["connect", "tls"]) -> None:
    got, _ = fetch_robots({ROBOTS: Failed(cause, "Connection refused")})
    assert (refusals(got), got.detail) == ([cause] * 2, "Connection refused")


def test_a_redirect_to_a_host_without_a_connection_is_blamed_on_the_file() -> None:
    elsewhere = "http://b.example/robots.txt"
    got, _ = fetch_robots(
        {ROBOTS: redirect(ROBOTS, elsewhere), elsewhere: Failed("connect")}, {"b.example": "93.184.216.35"}
    )
    assert refusals(got) == NOTHING


def test_a_file_that_is_too_long_is_read_up_to_the_limit() -> None:
    long = RULES + "#" * MAX_BYTES
    got, _ = fetch_robots(
        lambda url, options: cut(make_response(url, long[: options.settings.page_bytes]), "length")
    )
    assert refusals(got) == ["robots", None]
    assert got.body is not None
    assert len(got.body) == MAX_BYTES + 1


class TestRedirects:
    def test_five_redirects_are_followed_even_to_other_hosts(self) -> None:
        urls = [ROBOTS, "https://a.example/robots.txt", *(f"https://b{n}.example/r" for n in range(4))]
        pages = {url: redirect(url, after) for url, after in pairwise(urls)}
        got, fetcher = fetch_robots({**pages, urls[-1]: make_response(urls[-1], RULES)})
        assert refusals(got) == ["robots", None]
        assert [exchange.url for exchange in got.exchanges] == urls
        assert fetcher.lookups == ["b0.example", "b1.example", "b2.example", "b3.example"]

    def test_a_sixth_redirect_is_not_followed(self) -> None:
        got, fetcher = fetch_robots(lambda url, _: redirect(url, url + "x"))
        assert refusals(got) == EVERYTHING
        assert len(fetcher.requests) == 6

    def test_the_callback_sees_each_redirect_and_can_prevent_it(self) -> None:
        there = "http://b.example/r"
        pages = {
            ROBOTS: redirect(ROBOTS, "/s"),
            "http://a.example/s": redirect("", there),
            there: make_response(there, RULES),
        }
        hosts: list[str] = []

        async def hop(host: str, addresses: tuple[str, ...]) -> bool:
            assert addresses
            hosts.append(host)
            return host in allowed

        allowed = {"a.example", "b.example"}
        cache = RobotsCache(FakeFetcher(pages))
        assert refusals(fetch_cached(cache, hop)) == [
            "robots",
            None,
        ]
        assert hosts == ["a.example", "b.example"]
        allowed.remove("b.example")
        fetcher = FakeFetcher(pages)
        assert refusals(fetch_cached(RobotsCache(fetcher), hop)) == NOTHING
        assert len(fetcher.requests) == 2

    def test_relative_redirects_are_resolved(self) -> None:
        got, _ = fetch_robots(
            {ROBOTS: redirect(ROBOTS, "/r"), "http://a.example/r": make_response("", RULES)}
        )
        assert refusals(got) == ["robots", None]

    @pytest.mark.parametrize(
        "location", ["ftp://b.example/robots.txt", "mailto:x@y", "http://", "javascript:1"]
    )
    def test_a_redirect_without_a_usable_target_allows_everything(self, location: str) -> None:
        got, _ = fetch_robots({ROBOTS: redirect(ROBOTS, location)})
        assert refusals(got) == EVERYTHING

    @pytest.mark.parametrize(
        "location", ["http://10.0.0.1/robots.txt", "http://inside.example/", "http://dead.example/"]
    )
    def test_a_redirect_to_a_private_or_unknown_host_allows_nothing(self, location: str) -> None:
        got, fetcher = fetch_robots(
            {ROBOTS: redirect(ROBOTS, location)}, {"inside.example": "192.168.0.1", "dead.example": ""}
        )
        assert refusals(got) == NOTHING
        assert [request.url for request in fetcher.requests] == [ROBOTS]

    def test_other_hosts_do_not_get_the_password(self) -> None:
        credentials: list[str] = []

        def pages(url: str, options: FetchOptions) -> Outcome:
            credentials.append(options.auth)
            return redirect(url, "/again") if len(credentials) == 1 else redirect(url, "http://b.example/")

        fetch_robots(pages)
        assert credentials == ["user:pass", "user:pass", "", "", "", ""]

    @pytest.mark.parametrize(
        "location", ["http://a.example/x", "https://a.example:8443/x", "https://www.a.example/x"]
    )
    def test_other_origins_of_a_host_do_not_get_the_password(self, location: str) -> None:
        credentials: dict[str, str] = {}

        def pages(url: str, options: FetchOptions) -> Outcome:
            credentials[url] = options.auth
            return redirect(url, location)

        cache = RobotsCache(FakeFetcher(pages))
        asyncio.run(cache.fetch("a.example", "https", WHERE, OPTIONS))
        assert credentials == {"https://a.example/robots.txt": "user:pass", location: ""}


class TestCache:
    def test_an_answer_is_cached_until_it_is_too_old(self) -> None:
        now = Time()
        cache = RobotsCache(FakeFetcher({ROBOTS: make_response(ROBOTS, RULES)}), now)
        assert cache.find_fresh("a.example", DAY_S) is None
        fetch_cached(cache)
        now.now_s += DAY_S - 1
        known = cache.find_fresh("a.example", DAY_S)
        assert known is not None
        assert refusals(known) == ["robots", None]
        assert known.exchanges == ()
        assert cache.find_fresh("a.example", DAY_S / 2) is None
        now.now_s += 2
        assert cache.find_fresh("a.example", DAY_S) is None

    def test_an_unreachable_file_is_fetched_again_after_a_while(self) -> None:
        now = Time()
        cache = RobotsCache(FakeFetcher({ROBOTS: Failed("timeout")}), now)
        fetch_cached(cache)
        now.now_s += RETRY_S - 1
        known = cache.find_fresh("a.example", DAY_S)
        assert known is not None
        assert refusals(known) == NOTHING
        now.now_s += 2
        assert cache.find_fresh("a.example", DAY_S) is None

    def test_a_server_can_ask_for_a_longer_wait(self) -> None:
        now = Time()
        busy = make_response(ROBOTS, status=503, headers=[("Retry-After", "7200")])
        cache = RobotsCache(FakeFetcher({ROBOTS: busy}), now)
        fetch_cached(cache)
        now.now_s += 7000
        assert cache.find_fresh("a.example", DAY_S) is not None
        now.now_s += 300
        assert cache.find_fresh("a.example", DAY_S) is None

    def test_an_old_copy_serves_for_thirty_days(self) -> None:
        now = Time()
        pages: dict[str, Outcome] = {ROBOTS: make_response(ROBOTS, RULES)}
        cache = RobotsCache(FakeFetcher(pages), now)
        first = fetch_cached(cache)
        pages[ROBOTS] = Failed("timeout")
        now.now_s += OLD_COPY_S - 1
        still = fetch_cached(cache)
        assert refusals(still) == ["robots", None]
        assert still.asked_s == first.asked_s, "it keeps its age"
        assert cache.find_fresh("a.example", DAY_S) is not None
        now.now_s += RETRY_S + 1
        assert cache.find_fresh("a.example", DAY_S) is None
        assert refusals(fetch_cached(cache)) == NOTHING

    def test_a_missing_file_does_not_count_as_a_copy(self) -> None:
        pages: dict[str, Outcome] = {ROBOTS: make_response(ROBOTS, status=404)}
        cache = RobotsCache(FakeFetcher(pages))
        fetch_cached(cache)
        pages[ROBOTS] = Failed("timeout")
        assert refusals(fetch_cached(cache)) == NOTHING

    @pytest.mark.parametrize(
        "outcome",
        [
            make_response(ROBOTS, RULES),
            make_response(ROBOTS, ""),
            make_response(ROBOTS, status=404),
            make_response(ROBOTS, status=429),
            make_response(ROBOTS, status=500),
            Failed("timeout"),
            cut(make_response(ROBOTS, RULES), "time"),
            redirect(ROBOTS, "mailto:x@y"),
        ],
    )
    def test_a_host_note_has_the_same_effect_after_a_restart(self, outcome: Outcome) -> None:
        now = Time()
        cache = RobotsCache(FakeFetcher({ROBOTS: outcome}), now)
        before = fetch_cached(cache)
        note = cache.add_to_note(HostNote("a.example", ready_s=5.0))
        assert (note.ready_s, note.robots_s) == (5.0, now.now_s)
        other = RobotsCache(FakeFetcher({}), now)
        other.prime(note)
        after = other.find_fresh("a.example", DAY_S)
        assert after is not None
        assert refusals(after) == refusals(before)

    def test_a_host_without_a_request_leaves_its_note_unchanged(self) -> None:
        cache = RobotsCache(FakeFetcher({}))
        note = HostNote("a.example")
        assert cache.add_to_note(note) is note
        cache.prime(note)
        assert cache.find_fresh("a.example", DAY_S) is None

    def test_a_note_does_not_replace_a_cached_answer(self) -> None:
        now = Time()
        cache = RobotsCache(FakeFetcher({ROBOTS: make_response(ROBOTS, RULES)}), now)
        fetch_cached(cache)
        cache.prime(HostNote("a.example", robots=b"", robots_status=200, robots_s=1.0))
        known = cache.find_fresh("a.example", DAY_S)
        assert known is not None
        assert refusals(known) == ["robots", None]

    def test_the_cache_is_bounded_in_hosts_and_bytes(self) -> None:
        cache = RobotsCache(FakeFetcher({}), lambda: 1.0, cached_hosts=3, cached_bytes=100)
        for name in "abcd":
            cache.prime(HostNote(name, robots=b"x" * 10, robots_status=200, robots_s=1.0))
        assert [name for name in "abcd" if cache.find_fresh(name, DAY_S)] == ["b", "c", "d"]
        cache.prime(HostNote("e", robots=b"x" * 95, robots_status=200, robots_s=1.0))
        assert [name for name in "abcde" if cache.find_fresh(name, DAY_S)] == ["e"]
        cache.prime(HostNote("f", robots=b"x" * 500, robots_status=200, robots_s=1.0))
        assert [name for name in "abcdef" if cache.find_fresh(name, DAY_S)] == ["f"]


def test_the_exchange_of_an_error_is_returned_as_well() -> None:
    got, _ = fetch_robots({ROBOTS: make_response(ROBOTS, status=500)})
    assert [type(exchange) for exchange in got.exchanges] == [Exchange]
    assert isinstance(redirect(ROBOTS, "/x"), Redirected)


def test_a_shortage_of_this_machine_says_nothing_about_the_host() -> None:
    answers: list[Outcome | Shortage] = [Shortage("no socket"), make_response(ROBOTS, RULES)]
    fetcher = FakeFetcher(lambda url, options: answers.pop(0))
    cache = RobotsCache(fetcher)
    assert asyncio.run(cache.fetch("a.example", "http", WHERE, OPTIONS)) == Shortage("no socket")
    assert cache.find_fresh("a.example", DAY_S) is None
    assert fetch_cached(cache).rules is not None


def test_the_redirects_before_a_shortage_are_not_forgotten() -> None:
    first = redirect(ROBOTS, "http://b.example/robots.txt")
    assert isinstance(first, Redirected)
    answers: list[Outcome | Shortage] = [first, Shortage("no memory", sent=True)]
    cache = RobotsCache(FakeFetcher(lambda url, options: answers.pop(0)))
    answer = asyncio.run(cache.fetch("a.example", "http", WHERE, OPTIONS))
    assert answer == Shortage("no memory", (first.exchange,), sent=True)


@pytest.mark.parametrize(
    "note",
    [
        HostNote("a.example", robots=RULES.encode(), robots_status=200),
        HostNote("a.example", robots_status=503),
    ],
)
def test_a_copy_of_a_clock_that_was_ahead_is_fetched_again_now(note: HostNote) -> None:
    clock = Time()
    cache = RobotsCache(FakeFetcher({ROBOTS: Failed("timeout")}), clock)
    cache.prime(msgspec.structs.replace(note, robots_s=clock.now_s + 365 * DAY_S))
    assert cache.find_fresh("a.example", DAY_S) is None
    # Until it can be had, its rules hold as those of an old copy do.
    assert fetch_cached(cache).unreachable is (note.robots is None)
    again = cache.find_fresh("a.example", DAY_S)
    assert again is not None
    assert again.again_s == clock.now_s + RETRY_S
