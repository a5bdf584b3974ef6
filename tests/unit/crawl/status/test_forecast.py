"""A forecast follows limits, pace, hosts and the decline of discovery."""

import math

import msgspec
import pytest

from gossamer.crawl.status.forecast import ForecastSigns, Moment, forecast, thin_out
from gossamer.crawl.status.status_records import Forecast

SITE = 2000
LINKS = 8.0


SKEW = 2.2


def queued_after(finished: float, site: int = SITE, links: float = LINKS, skew: float = SKEW) -> float:
    """Return how many pages of a finite site are known when so many were read.

    A share u of unknown pages gets the share u ** skew of the links; at 1, links lead anywhere in the site.
    """
    seen = links * finished / site
    unknown = math.exp(-seen) if skew == 1 else (1 + (skew - 1) * seen) ** (1 / (1 - skew))
    return max(1.0, site * (1 - unknown))


def make_signs(
    finished: int,
    pace: float = 2.0,
    site: int = SITE,
    links: float = LINKS,
    skew: float = SKEW,
    **more: object,
) -> ForecastSigns:
    moments = [
        Moment(done / pace, done, round(queued_after(done, site, links, skew)), done, 1000 * done)
        for done in range(0, finished + 1, 10)
    ]
    waiting = moments[-1].queued - finished
    given = {"links": round(links * finished), **more}
    return ForecastSigns(moments, waiting, **given)  # type: ignore[arg-type]


def must_forecast(signs: ForecastSigns) -> Forecast:
    found = forecast(signs)
    assert found is not None
    assert 0 <= found.least_s <= found.left_s <= found.most_s
    return found


@pytest.mark.parametrize(("skew", "off"), [(SKEW, 0.1), (1.0, 0.3)])
@pytest.mark.parametrize("links", [2.0, 4.0, 20.0])
@pytest.mark.parametrize("part", [0.3, 0.5, 0.8])
def test_a_finite_site_is_seen_to_its_end(links: float, part: float, skew: float, off: float) -> None:
    total = SITE
    while queued_after(total, links=links, skew=skew) < total - 0.5:  # not all of it is linked
        total -= 1
    found = must_forecast(make_signs(round(part * total / 10) * 10, links=links, skew=skew))
    left_s = (1 - part) * total / 2.0
    assert found.pages == pytest.approx(total, rel=off)
    assert part * total / 2.0 + found.left_s == pytest.approx(total / 2.0, rel=off)
    assert found.least_s <= left_s <= found.most_s
    assert found.why == "what waits and what is still found"


def test_the_nearest_limit_decides() -> None:
    assert must_forecast(make_signs(500, limit_pages=700)).why == "the page limit"
    assert must_forecast(make_signs(500, limit_pages=700)).left_s == pytest.approx(100.0)
    assert must_forecast(make_signs(500, limit_pages=700)).pages == 700
    assert must_forecast(make_signs(500, limit_bytes=600_000)).left_s == pytest.approx(50.0)
    timed = must_forecast(make_signs(500, limit_pages=900, limit_s=300.0))
    assert (timed.why, timed.left_s, timed.pages) == ("the time limit", 50.0, 600)
    assert must_forecast(make_signs(500, most_pages=40)).why == "the page budgets of hosts"


def test_the_longest_queue_with_its_pauses_takes_its_time() -> None:
    quick = must_forecast(make_signs(1000))
    hosts = [(400, 5.0), *[(1, 5.0)] * 9]
    assert must_forecast(make_signs(1000, hosts=hosts)).left_s >= max(2000.0, quick.left_s)


def test_the_host_with_the_longest_queue_gets_most_of_what_is_found() -> None:
    hosts = [(300, 1.0), (50, 1.0)]
    found = must_forecast(make_signs(1000, hosts=hosts))
    new = found.pages - 1000 - make_signs(1000).waiting
    assert new > 50
    assert 300 + 0.5 * new < found.left_s < 300 + new


def test_hosts_run_dry_one_after_the_other() -> None:
    signs = make_signs(300, pace=10.0, site=10**9, links=3.0, limit_pages=400)
    steady = must_forecast(msgspec.structs.replace(signs, hosts=[(60, 1.0)] * 10))
    assert steady.left_s == pytest.approx(10.0)
    known = make_signs(300, pace=10.0, site=400, links=30.0, limit_pages=340)
    dry = must_forecast(msgspec.structs.replace(known, hosts=[*[(5, 1.0)] * 5, (50, 1.0)]))
    assert dry.why == "the page limit"
    assert 1.5 * 40 / 6 < dry.left_s < 20.0  # six hosts at first, one in the end


def test_requests_at_the_depth_limit_bring_no_others() -> None:
    endless = make_signs(300, site=10**9, links=3.0)
    assert forecast(endless) is None
    barren = make_signs(300, site=10**9, links=3.0, depths=[0, 600])
    assert must_forecast(barren).pages == pytest.approx(300 + 600, rel=0.01)
    some = msgspec.structs.replace(barren, depths=[0, 60, 540], links=900)
    assert must_forecast(some).pages == pytest.approx(300 + 600 + 60 * 3, rel=0.01)
    deeper = msgspec.structs.replace(barren, depths=[60, 0, 540], links=900)
    assert must_forecast(deeper).pages == pytest.approx(300 + 600 + 60 * 3 + 180 * 3, rel=0.01)


def test_little_says_nothing() -> None:
    assert forecast(ForecastSigns([Moment(0.0, 0, 1, 0)], 1)) is None
    assert forecast(make_signs(500, pace=1000.0)) is None
    still = [Moment(float(at), 10, 20, 10) for at in range(10)]
    assert forecast(ForecastSigns(still, 10)) is None
    assert must_forecast(ForecastSigns(still, 10, limit_s=60.0)).left_s == 51.0


def test_many_moments_are_thinned_out() -> None:
    moments = [Moment(float(at), at, at, at) for at in range(10_000)]
    kept = thin_out(moments)
    assert len(kept) <= 210
    assert (kept[0], kept[-1]) == (moments[0], moments[-1])
    assert kept == sorted(kept, key=lambda one: one.finished)
    assert thin_out(moments[:5]) == moments[:5]
