"""Numbers by page come back from their pieces."""

from gossamer.order.page_scores import Ledger


def test_numbers_come_back_from_pieces_and_from_the_whole() -> None:
    ledger, by_pieces, by_whole = Ledger(), Ledger(), Ledger()
    ledger[1], ledger[-2] = 3.0, 0.5
    by_pieces.recall(ledger.changes())
    assert ledger.pop(1) == 3.0
    assert ledger.pop(1) == 0.0
    ledger[5] += 2
    by_pieces.recall(ledger.changes())
    by_whole.recall(ledger.everything())
    assert ledger.changes() == b""
    for again in (by_pieces, by_whole):
        assert [again[key] for key in sorted(again.keys())] == [0.5, 2.0]
        assert (1 in again, 5 in again, len(again)) == (False, True, 2)


def test_of_two_numbers_the_one_that_says_more_is_kept() -> None:
    ledger, other = Ledger(), Ledger()
    ledger[1], ledger[2], ledger[3] = 1.0, 5.0, -1.0
    other[1], other[2], other[4] = 4.0, 2.0, 7.0
    for _ in range(2):
        ledger.join(other.everything())
        assert [ledger[key] for key in (1, 2, 3, 4)] == [4.0, 5.0, -1.0, 7.0]
