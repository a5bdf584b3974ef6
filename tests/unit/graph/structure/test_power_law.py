"""Known exponents are estimated from random numbers, and the zeta function equals scipy's."""

import numpy as np
import pytest
from scipy.special import zeta

from gossamer.graph.structure.power_law import LEAST_TAIL, fit_power_law, hurwitz_zeta


def test_the_zeta_function() -> None:
    exponents, starts = np.meshgrid(np.linspace(1.05, 11, 40), np.array([1, 2, 3, 10, 100, 12345]))
    assert hurwitz_zeta(exponents, starts) == pytest.approx(zeta(exponents, starts), rel=1e-11)


@pytest.mark.parametrize("exponent", [1.8, 2.5, 3.2])
def test_a_known_exponent_is_estimated(exponent: float) -> None:
    law = fit_power_law(np.random.default_rng(5).zipf(exponent, 20_000))
    assert law is not None
    assert law.exponent == pytest.approx(exponent, abs=4 * law.error)
    assert 0 < law.error < 0.2
    assert law.distance < 0.05


def test_the_tail_begins_where_the_law_does() -> None:
    dice = np.random.default_rng(3)
    tail = np.floor(9.5 * (1 - dice.random(20_000)) ** (-1 / 1.5) + 0.5).astype(
        np.int64
    )  # exponent 2.5 from 10 on
    law = fit_power_law(np.concatenate([dice.integers(1, 10, 20_000), tail]))
    assert law is not None
    assert 8 <= law.x_min <= 14
    assert law.exponent == pytest.approx(2.5, abs=0.1)
    assert law.tail == pytest.approx(20_000, rel=0.4)
    assert law.at_least(np.array([law.x_min])).tolist() == [1.0]


@pytest.mark.parametrize(
    "values", [[], [0, 0], [3] * 500, list(range(LEAST_TAIL - 1))], ids=["none", "zeros", "one value", "few"]
)
def test_numbers_without_a_tail_get_no_law(values: list[int]) -> None:
    assert fit_power_law(np.array(values, np.int64)) is None
