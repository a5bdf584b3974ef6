"""Random numbers without state: each follows from a key and a salt, so any draw can be repeated."""

import math

from xxhash import xxh3_64_intdigest

_MASK = (1 << 64) - 1
_TO_UNIT = 1.0 / (1 << 53)


def make_key(seed: int, text: str) -> int:
    """Return the 64-bit key of a text under a seed."""
    return xxh3_64_intdigest(text.encode(), seed & _MASK)


def salt(name: str) -> int:
    """Return the number that identifies one use of randomness, so that different uses are independent."""
    return xxh3_64_intdigest(name.encode())


def mix(key: int, salt_number: int) -> int:
    """Return a 64-bit number that follows from a key and a salt."""
    return xxh3_64_intdigest((key & _MASK).to_bytes(8, "little"), salt_number & _MASK)


def unit(key: int, salt_number: int) -> float:
    """Return a number from [0, 1) that follows from a key and a salt."""
    return (mix(key, salt_number) >> 11) * _TO_UNIT


def draw_zipf(chance: float, count: int, steepness: float) -> int:
    """Draw a rank from 0 to count-1 with probability falling as (rank + 1) to the power -steepness.

    If link targets are drawn this way, in-degrees follow a power law with exponent 1 + 1/steepness. The discrete sum is
    replaced by its integral, which has a closed inverse. Cost: constant. Source: inverse transform sampling.
    """
    rest = 1.0 - steepness
    if abs(rest) < 1e-6:
        rank = math.exp(chance * math.log(count + 1.0)) - 1.0
    else:
        rank = (1.0 + chance * ((count + 1.0) ** rest - 1.0)) ** (1.0 / rest) - 1.0
    return min(int(rank), count - 1)


def draw_power_law(chance: float, least: int, exponent: float) -> float:
    """Draw a number of at least `least` from a power law with this exponent."""
    return float(least * (1.0 - chance) ** (-1.0 / (exponent - 1.0)))
