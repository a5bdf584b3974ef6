import asyncio

import msgspec
import pytest

from gossamer.fetch.browser.rendered_page import LoadedResponse
from gossamer.fetch.browser.shared_responses import SharedResponses, find_age_s
from gossamer.fetch.fake_fetcher import make_response
from gossamer.records import Fetched

URL = "http://a.example/app.js"
NAME = ("settings", URL)


def make(body: str = "x", **headers: str) -> LoadedResponse:
    lines = [(name.replace("_", "-"), value) for name, value in headers.items()]
    outcome = make_response(URL, body, headers=lines)
    assert isinstance(outcome, Fetched)
    return LoadedResponse(outcome.exchange)


def keep(shared: SharedResponses, loaded: LoadedResponse, **asked: str) -> None:
    shared.keep(NAME, asked, loaded)


@pytest.mark.parametrize(
    ("headers", "age_s"),
    [
        ({}, 300.0),
        ({"Cache_Control": "max-age=60"}, 60.0),
        ({"Cache_Control": "public, max-age=999999"}, 3_600.0),
        ({"Cache_Control": "max-age=0"}, 0.0),
        ({"Cache_Control": "no-store"}, 0.0),
        ({"Cache_Control": "private, max-age=60"}, 0.0),
        ({"Set_Cookie": "a=b"}, 0.0),
        ({"Vary": "Cookie"}, 0.0),
        ({"Vary": "Accept, Authorization"}, 0.0),
        ({"Vary": "*"}, 0.0),
        ({"Vary": "Origin"}, 300.0),
    ],
)
def test_servers_say_for_how_long_a_response_is_for_others(headers: dict[str, str], age_s: float) -> None:
    assert find_age_s(make(**headers).exchange) == age_s


def test_a_second_header_line_counts_as_well() -> None:
    outcome = make_response(URL, "x", headers=[("Cache-Control", "max-age=9"), ("Cache-Control", "no-store")])
    assert isinstance(outcome, Fetched)
    assert find_age_s(outcome.exchange) == 0.0


def test_a_response_is_found_until_it_is_too_old() -> None:
    now_s = [0.0]
    shared = SharedResponses(clock=lambda: now_s[0])
    loaded = make(Cache_Control="max-age=10")
    keep(shared, loaded)
    now_s[0] = 9.0
    assert shared.find(NAME, {}) is loaded
    assert shared.find(("others", URL), {}) is None
    now_s[0] = 10.0
    assert shared.find(NAME, {}) is None


def test_what_varies_is_for_requests_that_are_alike() -> None:
    shared = SharedResponses()
    picture, text = make("webp", Vary="Accept"), make("png", Vary="accept")
    keep(shared, picture, accept="image/webp", origin="http://a.example")
    keep(shared, text, accept="image/png")
    assert shared.find(NAME, {"accept": "image/webp"}) is picture
    assert shared.find(NAME, {"accept": "image/png", "origin": "http://b.example"}) is text
    assert shared.find(NAME, {}) is None


@pytest.mark.parametrize("headers", [{"Vary": "Origin"}, {"Access_Control_Allow_Origin": "http://a.example"}])
def test_what_is_allowed_to_one_origin_is_not_given_to_another(headers: dict[str, str]) -> None:
    shared = SharedResponses()
    keep(shared, make(**headers), origin="http://a.example")
    assert shared.find(NAME, {"origin": "http://a.example"}) is not None
    assert shared.find(NAME, {"origin": "http://b.example"}) is None
    assert shared.find(NAME, {}) is None


def test_many_variants_and_many_bytes_push_the_oldest_out() -> None:
    shared = SharedResponses(most_bytes=1_000)
    for number in range(6):
        keep(shared, make(f"{number}", Vary="Accept"), accept=f"{number}")
    assert [shared.find(NAME, {"accept": f"{number}"}) is not None for number in range(6)] == [False] * 2 + [
        True
    ] * 4
    shared.keep(("settings", "http://b.example/"), {}, make("y" * 999))
    assert shared.find(NAME, {"accept": "5"}) is not None
    assert shared.find(NAME, {"accept": "2"}) is None
    shared.keep(("settings", "http://c.example/"), {}, make("y" * 2_000))
    assert shared.find(NAME, {"accept": "5"}) is None
    assert shared.find(("settings", "http://c.example/"), {}) is None


def test_failures_and_cut_bodies_are_not_kept() -> None:
    shared = SharedResponses()
    good = make().exchange
    for bad in (
        msgspec.structs.replace(good, status=203),
        msgspec.structs.replace(good, cut="length"),
    ):
        shared.keep(NAME, {}, LoadedResponse(bad))
        assert shared.find(NAME, {}) is None


def test_turns_are_taken_one_by_one_also_by_those_that_come_while_others_wait() -> None:
    async def run() -> None:
        shared = SharedResponses()
        inside, most = 0, 0

        async def use() -> None:
            nonlocal inside, most
            async with shared.urls.wait_for(URL):
                inside += 1
                most = max(most, inside)
                try:
                    await asyncio.sleep(0.001)
                finally:
                    inside -= 1

        first = [asyncio.create_task(use()) for _ in range(3)]
        await asyncio.sleep(0.0015)
        first[1].cancel()
        later = []
        for _ in range(5):
            later.append(asyncio.create_task(use()))
            await asyncio.sleep(0.001)
        await asyncio.gather(*first, *later, return_exceptions=True)
        assert most == 1
        assert len(shared.urls) == 0

    asyncio.run(run())
