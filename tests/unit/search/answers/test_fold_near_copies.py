from hypothesis import given
from hypothesis import strategies as st

from gossamer.search.answers.fold_near_copies import fold_near_copies


def test_near_copies_are_grouped_in_order() -> None:
    assert fold_near_copies([0b0, -1, 0b111, 0b1111, -2], [100] * 5) == [[0, 2], [1, 4], [3]]


def test_short_pages_are_never_copies() -> None:
    assert fold_near_copies([7, 7], [5, 5]) == [[0], [1]]


def fold_plainly(simhashes: list[int]) -> list[list[int]]:
    groups: list[list[int]] = []
    for place, simhash in enumerate(simhashes):
        distances = [((simhash ^ simhashes[group[0]]) % 2**64).bit_count() for group in groups]
        near = [group for group, distance in zip(groups, distances, strict=True) if distance <= 3]
        near[0].append(place) if near else groups.append([place])
    return groups


FLIPPED = st.lists(st.integers(0, 63), max_size=4).map(lambda bits: sum(1 << bit for bit in set(bits)))


@given(st.lists(st.tuples(st.sampled_from([0, 0x0123_4567_89AB_CDEF]), FLIPPED), max_size=20))
def test_each_is_compared_with_the_first_of_each_group(pairs: list[tuple[int, int]]) -> None:
    hashes = [base ^ flipped for base, flipped in pairs]
    signed = [one - 2**64 if one >> 63 else one for one in hashes]
    assert fold_near_copies(signed, [100] * len(signed)) == fold_plainly(signed)
