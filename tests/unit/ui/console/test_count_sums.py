from tests.unit.ui.console.status_samples import COUNTS, make_task

from gossamer.store.batch import TaskNote
from gossamer.ui.console.live.count_sums import make_sums


def test_both_sums_add_up() -> None:
    sums = make_sums([make_task()])
    assert (sums.checked.total.number, sums.checked.gap) == (30, 0)
    assert (sums.queued.total.number, sums.queued.gap) == (20, 0)
    assert [part.label for part in sums.queued.parts] == [
        *("downloaded", "from the cache", "redirected", "failed", "refused", "waiting", "under way")
    ]
    assert sums.short is None, "requests are left"


def test_causes_come_with_the_count_that_lists_their_documents() -> None:
    failed = make_sums([make_task()]).queued.parts[3]
    assert (failed.number, failed.count) == (3, "failed")
    assert [(part.count, part.number) for part in failed.parts] == [("failed:404", 2), ("failed:timeout", 1)]
    assert failed.parts[0].label == "the server answered 404"
    filtered = make_sums([make_task()]).checked.parts[1]
    assert (filtered.count, filtered.parts[0].count) == ("filtered", "filtered:exclude")


def test_what_is_missing_is_named() -> None:
    assert make_sums([make_task(waiting=3)]).queued.gap == 1


def test_several_tasks_are_added() -> None:
    sums = make_sums([make_task(), make_task(2)])
    assert (sums.queued.total.number, sums.queued.gap, sums.checked.gap) == (40, 0, 0)


def test_the_short_form_holds_at_the_end() -> None:
    counts = COUNTS | {"queued": 14, "checked": 24}
    ended = make_task(note=TaskNote(1, "news", b"{}", "finished", counts=counts), waiting=0, under_way=0)
    short = make_sums([ended]).short
    assert short is not None
    assert short.gap == 0
    assert [(part.label, part.number) for part in short.parts] == [
        *(("downloaded", 8), ("from the cache", 1), ("not loaded", 5))
    ]


def test_the_table_of_the_document_holds_exactly() -> None:
    """Wollenweber 2002, table 6.1, last line: 22 checked, 14 queued, 1 filtered, 10 downloaded, 4 cache hits."""
    counts = {"checked": 22, "queued": 14, "filtered:own": 1, "seen": 7, "downloaded": 10, "cache hits": 4}
    ended = make_task(note=TaskNote(1, "t", b"{}", "finished", counts=counts), waiting=0, under_way=0)
    sums = make_sums([ended])
    assert (sums.checked.gap, sums.queued.gap) == (0, 0)
    assert sums.short is not None
    assert [part.number for part in sums.short.parts] == [10, 4]
