"""What came of asking for an address, from visits and redirects."""

from typing import Any

import numpy as np
import pytest

from gossamer.link_check.target_outcomes import STATES, Outcomes
from gossamer.records import Visit


class Visits:
    """A store of nothing but visits and redirects."""

    def __init__(self, visits: list[Visit], redirects: dict[int, int]) -> None:
        self._visits, self._redirects = visits, redirects

    def all_visits(self) -> Any:
        return iter(self._visits)

    def redirects(self) -> Any:
        return iter(self._redirects.items())


def outcomes(
    visits: list[Visit], redirects: dict[int, int] | None = None, accept: tuple[int, ...] = ()
) -> Outcomes:
    return Outcomes(Visits(visits, redirects or {}), accept)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("visit", "state"),
    [
        (Visit(1, 1, 0.0, "fetched", 200), "ok"),
        (Visit(1, 1, 0.0, "not modified", 304), "ok"),
        (Visit(1, 1, 0.0, "failed", 404, "status", "404"), "broken"),
        (Visit(1, 1, 0.0, "failed", 500, "status", "500"), "broken"),
        (Visit(1, 1, 0.0, "failed", 403, "status", "403"), "unknown"),
        (Visit(1, 1, 0.0, "failed", 429, "status", "429"), "unknown"),
        (Visit(1, 1, 0.0, "failed", 999, "status", "999"), "unknown"),
        (Visit(1, 1, 0.0, "failed", 0, "dns"), "unreachable"),
        (Visit(1, 1, 0.0, "refused", 0, "robots"), "robots-refused"),
        (Visit(1, 1, 0.0, "refused", 0, "dead host"), "unreachable"),
        (Visit(1, 1, 0.0, "refused", 0, "per_host"), "unasked"),
    ],
)
def test_an_answer_has_a_state(visit: Visit, state: str) -> None:
    assert outcomes([visit]).find(1).state == state


def test_an_accepted_status_works() -> None:
    assert outcomes([Visit(1, 1, 0.0, "failed", 403, "status")], accept=(403,)).find(1).state == "ok"


def test_redirects_are_followed_to_their_end() -> None:
    visits = [
        Visit(1, 1, 0.0, "redirected", 301),
        Visit(2, 1, 0.0, "redirected", 302),
        Visit(3, 1, 0.0, "fetched", 200),
    ]
    found = outcomes(visits, {1: 2, 2: 3}).find(1)
    assert (found.state, found.final, found.hops, found.permanent, found.first_status) == (
        "ok",
        3,
        2,
        True,
        301,
    )


def test_a_circle_is_a_loop_and_an_end_that_was_not_asked_for_is_to_be_asked() -> None:
    circle = [Visit(1, 1, 0.0, "redirected", 302), Visit(2, 1, 0.0, "redirected", 302)]
    assert outcomes(circle, {1: 2, 2: 1}).find(1).state == "redirect-loop"
    found = outcomes(circle[:1], {1: 9}).find(1)
    assert (found.state, found.final) == ("unasked", 9)


def test_the_last_visit_counts() -> None:
    visits = [Visit(1, 1, 0.0, "failed", 404, "status"), Visit(1, 2, 1.0, "fetched", 200)]
    assert outcomes(visits).find(1).state == "ok"


def test_many_addresses_have_the_outcomes_of_each() -> None:
    visits = [
        Visit(1, 1, 5.0, "redirected", 301),
        Visit(2, 1, 6.0, "fetched", 200),
        Visit(3, 1, 7.0, "failed", 404, "status"),
        Visit(4, 1, 8.0, "robots", 200),
    ]
    found = outcomes(visits, {1: 2})
    pages = np.array([4, 1, 3, 2, 99])
    columns = found.find_all(pages)
    each = [found.find(page) for page in pages.tolist()]
    assert [STATES[one.state] for one in each] == columns.states.tolist()
    assert [(one.final, one.hops, one.permanent, one.when_s) for one in each] == list(
        zip(
            columns.finals.tolist(),
            columns.hops.tolist(),
            columns.permanent.tolist(),
            columns.when_s.tolist(),
            strict=True,
        )
    )
    assert columns.have("ok").tolist() == [False, True, False, True, False]
    assert found.have_result(pages, "failed", "redirected").tolist() == [False, True, True, False, False]


def test_an_answer_beside_the_crawl_counts_if_it_is_newer() -> None:
    visits = [Visit(1, 1, 5.0, "failed", 404, "status"), Visit(2, 1, 5.0, "failed", 404, "status")]
    answers = [
        Visit(1, 0, 6.0, "fetched", 200),
        Visit(2, 0, 5.0, "fetched", 200),
        Visit(3, 0, 1.0, "fetched", 204),
    ]
    found = Outcomes(Visits(visits, {}), (), answers)  # type: ignore[arg-type]
    assert [found.find(page).state for page in (1, 2, 3)] == ["ok", "broken", "ok"]
