"""A forecast follows limits, pace, hosts and the decline of discovery."""

import math

import msgspec
import pytest

from gossamer.crawl.status.forecast import ForecastSigns, Moment, forecast, thin_out
from gossamer.crawl.status.status_records import Forecast

SITE = 2000
LINKS = 8.0


def queued_after(finished: float, site: int = SITE, links: float = LINKS) -> float:
    """Return how many pages of a finite site are known when so many were read, if links lead anywhere in it."""
    return max(1.0, site * -math.expm1(-links * finished / site))


def make_signs(
    finished: int, pace: float = 2.0, site: int = SITE, links: float = LINKS, **more: object
) -> ForecastSigns:
    moments = [
        Moment(done / pace, done, round(queued_after(done, site, links)), done, 1000 * done)
        for done in range(0, finished + 1, 10)
    ]
    waiting = moments[-1].queued - finished
    return ForecastSigns(moments, waiting, **more)  # type: ignore[arg-type]


def must_forecast(signs: ForecastSigns) -> Forecast:
    found = forecast(signs)
    assert found is not None
    assert 0 <= found.least_s <= found.left_s <= found.most_s
    return found


@pytest.mark.parametrize("links", [2.0, 4.0, 20.0])
@pytest.mark.parametrize("part", [0.3, 0.5, 0.8])
def test_a_finite_site_is_seen_to_its_end(links: float, part: float) -> None:
    total = SITE
    while queued_after(total, links=links) < total - 0.5:  # not all of it is linked
        total -= 1
    found = must_forecast(make_signs(round(part * total / 10) * 10, links=links))
    assert found.pages == pytest.approx(total, rel=0.1)
    assert found.left_s == pytest.approx((1 - part) * total / 2.0, rel=0.25)
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
