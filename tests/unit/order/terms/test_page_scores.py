"""Numbers by page and their packed form."""

from gossamer.order.terms.page_scores import PageScores


def test_packed_changes_and_the_packed_whole_load_the_same_numbers() -> None:
    scores, by_pieces, by_whole = PageScores(), PageScores(), PageScores()
    scores[1], scores[-2] = 3.0, 0.5
    by_pieces.load(scores.pack_changes())
    assert scores.pop(1) == 3.0
    assert scores.pop(1) == 0.0
    scores[5] += 2
    by_pieces.load(scores.pack_changes())
    by_whole.load(scores.pack_all())
    assert scores.pack_changes() == b""
    for again in (by_pieces, by_whole):
        assert [again[key] for key in sorted(again.keys())] == [0.5, 2.0]
        assert (1 in again, 5 in again, len(again)) == (False, True, 2)


def test_a_merge_keeps_the_larger_of_two_numbers_by_absolute_value() -> None:
    scores, other = PageScores(), PageScores()
    scores[1], scores[2], scores[3] = 1.0, 5.0, -1.0
    other[1], other[2], other[4] = 4.0, 2.0, 7.0
    for _ in range(2):
        scores.merge(other.pack_all())
        assert [scores[key] for key in (1, 2, 3, 4)] == [4.0, 5.0, -1.0, 7.0]
