from gossamer.search.folding import folded


def test_near_copies_stand_together_in_order() -> None:
    assert folded([0b0, -1, 0b111, 0b1111, -2], [100] * 5) == [[0, 2], [1, 4], [3]]


def test_short_pages_are_never_copies() -> None:
    assert folded([7, 7], [5, 5]) == [[0], [1]]
