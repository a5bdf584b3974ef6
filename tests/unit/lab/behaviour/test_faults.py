"""Troubles strike the requested shares of pages and hosts."""

import gzip
import zlib

import pytest

from gossamer.errors import BadInput
from gossamer.lab.behaviour.faults import OUTCOMES, Troubles, build_gzip_bomb
from gossamer.lab.options import HOST_TROUBLES, PAGE_TROUBLES, ROBOTS_TROUBLES, Trouble
from gossamer.lab.seeded_random import mix

KEYS = [mix(number, 5) for number in range(3000)]


def troubles(trouble: Trouble, hosts: int = 100, root_host: int = 0) -> Troubles:
    return Troubles(trouble, seed=1, hosts=hosts, root_host=root_host)


def test_each_trouble_strikes_its_share_of_pages_and_a_page_has_one() -> None:
    struck = [troubles(Trouble(stall=0.1, reset=0.2)).find_page_trouble(key, False) for key in KEYS]
    assert struck.count("stall") / len(KEYS) == pytest.approx(0.1, abs=0.03)
    assert struck.count("reset") / len(KEYS) == pytest.approx(0.2, abs=0.03)
    assert set(struck) == {"", "stall", "reset"}


def test_all_enables_every_trouble() -> None:
    everything = troubles(Trouble.all(0.04))
    assert {everything.find_page_trouble(key, False) for key in KEYS} == {"", *PAGE_TROUBLES}
    by_hosts = {name for host in range(100) for name in everything.find_host_troubles(host)}
    assert by_hosts == {*ROBOTS_TROUBLES, *HOST_TROUBLES} - {"mirrors"}
    assert everything.mirrors == 4


def test_front_pages_are_spared() -> None:
    assert {troubles(Trouble.all(0.04)).find_page_trouble(key, True) for key in KEYS} == {""}


@pytest.mark.parametrize("hosts", [1, 2, 7, 20, 100])
@pytest.mark.parametrize("share", [0.01, 0.3, 1.0])
def test_a_trouble_strikes_exactly_its_share_of_hosts(hosts: int, share: float) -> None:
    some = troubles(Trouble(slow=share, mirrors=share), hosts, root_host=hosts // 2)
    struck = [host for host in range(hosts) if some.strikes("slow", host)]
    assert len(struck) == max(1, round(share * hosts))
    if share < 1 and hosts > 2:
        assert hosts // 2 not in struck
    originals = [some.find_original(mirror) for mirror in range(some.mirrors)]
    assert len(set(originals)) == some.mirrors
    assert [some.find_mirror(host) for host in originals] == list(range(some.mirrors))
    assert sum(some.find_mirror(host) is not None for host in range(hosts)) == some.mirrors


def test_a_robots_file_has_at_most_one_trouble() -> None:
    some = troubles(Trouble(robots_missing=0.2, robots_failing=0.3, robots_huge=0.5))
    kinds = [some.find_robots_trouble(host) for host in range(100)]
    assert kinds.count("robots_missing") == 20
    assert kinds.count("robots_failing") == 30
    assert kinds.count("robots_huge") == 50


def test_a_client_that_waits_for_retry_after_gets_the_page() -> None:
    some = troubles(Trouble(too_many=1.0, retry_period_s=10))
    refused = 0
    for key in KEYS[:300]:
        for now_s in (0.0, 3.3, 1234.5):
            wait_s = some.find_retry_after_s(key, now_s)
            refused += wait_s > 0
            assert some.find_retry_after_s(key, now_s + wait_s) == 0
            assert wait_s <= 5
    assert refused / 900 == pytest.approx(0.5, abs=0.08)


def test_a_refusal_lasts_until_its_phase_ends() -> None:
    some = troubles(Trouble(unavailable=1.0, retry_period_s=8))
    for key in KEYS[:100]:
        end_s = some.find_phase_end_s(key, 2.0)
        assert 2.0 < end_s <= 6.0
        before = some.find_retry_after_s(key, end_s - 0.001) > 0
        assert before == (some.find_retry_after_s(key, 2.0) > 0)
        assert (some.find_retry_after_s(key, end_s + 0.001) > 0) != before


def test_a_gzip_bomb_is_small_and_unpacks_to_the_requested_size() -> None:
    packed = build_gzip_bomb(5_000_000)
    assert len(packed) < 10_000
    assert len(gzip.decompress(packed)) == 5_000_000
    start = zlib.decompressobj(31).decompress(packed, 20)
    assert start.startswith(b"<!DOCTYPE html>")
    assert build_gzip_bomb(5_000_000) is packed


def test_every_outcome_belongs_to_a_trouble() -> None:
    assert set(OUTCOMES) <= set(PAGE_TROUBLES)


@pytest.mark.parametrize(
    "wrong",
    [
        {"stall": 1.5},
        {"reset": -0.1},
        {"stall": 0.6, "reset": 0.6},
        {"robots_missing": 0.6, "robots_failing": 0.6},
        {"chain_most": 0},
        {"retry_period_s": 1},
        {"large_bytes": 0},
        {"slow_s": -1},
    ],
)
def test_impossible_trouble_is_an_error_of_one_sentence(wrong: dict[str, float]) -> None:
    with pytest.raises(BadInput) as refusal:
        Trouble(**wrong)  # type: ignore[arg-type]
    assert str(refusal.value).endswith(".")
