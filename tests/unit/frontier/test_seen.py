import numpy as np

from gossamer.frontier.seen import Seen


def keys(*values: int) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    return np.array(values, np.int64)


def test_a_key_is_new_once() -> None:
    seen = Seen()
    assert seen.add(keys(5, -7, 5, 2**63 - 1)).tolist() == [True, True, False, True]
    assert seen.add(keys(-7, 6)).tolist() == [False, True]
    assert seen.has(keys(5, 6, 7)).tolist() == [True, True, False]
    assert len(seen) == 4


def test_zero_is_a_key_like_any_other() -> None:
    seen = Seen()
    assert seen.has(keys(0)).tolist() == [False]
    assert seen.add(keys(0, 3, 0)).tolist() == [True, True, False]
    assert seen.add(keys(0)).tolist() == [False]
    assert seen.has(keys(0, 3)).tolist() == [True, True]
    assert len(seen) == 2


def test_it_grows_and_forgets_nothing() -> None:
    many = np.random.default_rng(3).integers(-(2**63), 2**63 - 1, 50_000)
    seen = Seen()
    for start in range(0, many.size, 777):
        assert seen.add(many[start : start + 777]).all()
    assert len(seen) == many.size
    assert seen.has(many).all()
    assert not seen.add(many).any()


def test_keys_that_share_their_low_bits_are_told_apart() -> None:
    close = np.arange(1, 200_000, dtype=np.int64) << 40
    seen = Seen(close)
    assert len(seen) == close.size
    assert not seen.has(close + 1).any()


def test_it_agrees_with_a_set() -> None:
    dice = np.random.default_rng(11)
    seen, twin = Seen(), set[int]()
    for _ in range(200):
        batch = dice.integers(-300, 300, 20)
        expected = []
        for key in batch.tolist():
            expected.append(key not in twin)
            twin.add(key)
        assert seen.add(batch).tolist() == expected
    assert len(seen) == len(twin)
