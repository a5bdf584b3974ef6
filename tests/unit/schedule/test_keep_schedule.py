"""What a keeper decides at each look, with a pretend clock and a real journal."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.unit.schedule.schedules import NOW_S, make_entry, make_schedule

from gossamer.schedule.journal.journal import Journal
from gossamer.schedule.journal.journal_records import News, NewsItem, Run
from gossamer.schedule.keep_schedule import Ending, Keeper

HOUR_S = 3_600.0
DUE_S = NOW_S - NOW_S % HOUR_S + HOUR_S
"""The first full hour after now."""
DONE = Ending(0, DUE_S + 10)


class Kept:
    """A keeper, its journal and its clock."""

    def __init__(self, folder: Path, *entries: str, head: str = "") -> None:
        self.schedule = make_schedule(folder, *entries, head=head)
        self.journal = Journal(folder, create=True)
        self.keeper = Keeper(self.journal, self.schedule)
        self.keeper.open(NOW_S)
        self.steady_s = 0.0
        self.now_s = NOW_S

    def look(self, now_s: float, steady_s: float | None = None) -> list[Run]:
        """Look when the clock says so; the steady clock has gone as far, unless it is given."""
        self.steady_s += now_s - self.now_s if steady_s is None else steady_s
        self.now_s = now_s
        return self.keeper.look(now_s, self.steady_s)

    def list_missed(self) -> list[tuple[int, str]]:
        return [(one.times, one.why) for one in self.journal.list_missed()]


@pytest.fixture
def kept(tmp_path: Path) -> Iterator[Kept]:
    made = Kept(tmp_path)
    yield made
    made.journal.close()


def test_a_run_begins_when_it_is_due_and_not_twice(kept: Kept) -> None:
    assert kept.look(DUE_S - 1) == []
    [run] = kept.look(DUE_S + 1)
    assert (run.entry, run.due_s, run.state, run.tries) == ("one", DUE_S, "running", 1)
    assert kept.look(DUE_S + 2) == []
    assert kept.keeper.end(run, DONE, DUE_S + 10).state == "done"
    assert kept.look(DUE_S + 20) == []


def test_a_run_whose_process_died_is_tried_again_after_growing_pauses_and_not_for_ever(kept: Kept) -> None:
    [run] = kept.look(DUE_S)
    for pause_s in (10, 20):
        waiting = kept.keeper.end(run, Ending(None, DUE_S), kept.now_s)
        assert (waiting.state, waiting.not_before_s) == ("waiting", kept.now_s + pause_s)
        assert kept.look(kept.now_s + pause_s - 1) == []
        [run] = kept.look(kept.now_s + 1)
    failed = kept.keeper.end(run, Ending(None, DUE_S), kept.now_s)
    assert (failed.state, failed.tries, failed.why) == ("failed", 3, "its process was killed")


def test_wrong_use_is_not_tried_again_and_broken_links_are_no_failure(tmp_path: Path) -> None:
    kept = Kept(tmp_path, make_entry(), make_entry("two", do="check", web="other"))
    one, two = kept.look(DUE_S)
    assert kept.keeper.end(one, Ending(2, DUE_S, why="no such web"), DUE_S).state == "failed"
    assert kept.keeper.end(two, Ending(1, DUE_S), DUE_S).state == "done"
    kept.journal.close()


def test_a_run_that_took_too_long_has_failed_and_one_that_was_interrupted_goes_on(kept: Kept) -> None:
    [run] = kept.look(DUE_S)
    assert kept.keeper.end(run, Ending(None, DUE_S, interrupted=True), DUE_S).state == "waiting"
    [again] = kept.look(DUE_S + 5)
    assert (again.due_s, again.tries) == (DUE_S, 1)
    ended = kept.keeper.end(again, Ending(0, DUE_S, stopped="it took longer than 1 hour"), DUE_S)
    assert (ended.state, ended.why) == ("failed", "it took longer than 1 hour")


def test_entries_of_one_web_run_one_after_the_other(tmp_path: Path) -> None:
    kept = Kept(
        tmp_path, make_entry(), make_entry("two"), make_entry("three", web="other"), head="at_once = 3"
    )
    first, third = kept.look(DUE_S)
    assert (first.entry, third.entry) == ("one", "three")
    kept.keeper.end(first, DONE, DUE_S + 10)
    assert [run.entry for run in kept.look(DUE_S + 11)] == ["two"]
    kept.journal.close()


def test_no_more_run_at_once_than_may(tmp_path: Path) -> None:
    kept = Kept(tmp_path, make_entry(), make_entry("two", web="other"), head="at_once = 1")
    assert [run.entry for run in kept.look(DUE_S)] == ["one"]
    kept.journal.close()


@pytest.mark.parametrize(("missed", "begun"), [("once", 1), ("skip", 0)])
def test_what_was_due_while_no_runner_worked_is_told(missed: str, begun: int, tmp_path: Path) -> None:
    kept = Kept(tmp_path, make_entry(more=f'missed = "{missed}"'))
    kept.look(DUE_S - 60)
    again = Keeper(kept.journal, kept.schedule)
    again.open(DUE_S + 5.5 * HOUR_S)
    runs = again.look(DUE_S + 5.5 * HOUR_S, 0.0)
    assert [run.due_s for run in runs] == [DUE_S + 5 * HOUR_S] * begun
    assert sum(times for times, _ in kept.list_missed()) == 6 - begun
    assert all("the runner was not running from 2026-03-20 09:59:00" in why for _, why in kept.list_missed())
    kept.journal.close()


def test_a_run_that_was_due_while_another_went_on_waits_or_is_missed(tmp_path: Path) -> None:
    kept = Kept(tmp_path, make_entry(), make_entry("two", 'missed = "skip"', web="other"))
    assert len(kept.look(DUE_S)) == 2
    assert kept.look(DUE_S + HOUR_S) == []
    assert [run.entry for run in kept.journal.list_open() if run.state == "waiting"] == ["one"]
    assert kept.list_missed() == [(1, "the run that was due at 2026-03-20 10:00:00 UTC was still going")]
    kept.look(DUE_S + 2 * HOUR_S)
    assert (1, "the run that was due at 2026-03-20 11:00:00 UTC still waits") in kept.list_missed()
    kept.journal.close()


def test_a_clock_that_jumps_forward_and_back_repeats_nothing_and_loses_nothing(kept: Kept) -> None:
    kept.look(DUE_S - 10)
    [run] = kept.look(DUE_S + 10 * HOUR_S + 1, steady_s=1.0)
    assert run.due_s == DUE_S + 10 * HOUR_S
    [(times, why)] = kept.list_missed()
    assert times == 10
    assert "the clock jumped" in why
    kept.keeper.end(run, DONE, kept.now_s)
    # The clock is set right again: what was told as missed comes again, the run that happened does not.
    kept.look(DUE_S - 5, steady_s=4.0)
    assert kept.list_missed() == []
    due = []
    for hour in range(12):
        for one in kept.look(DUE_S + hour * HOUR_S):
            due.append(one.due_s)
            kept.keeper.end(one, DONE, kept.now_s)
    assert due == [DUE_S + hour * HOUR_S for hour in range(12) if hour != 10]
    assert any(
        "the clock was set back by 10:00:10, to 2026-03-20 09:59:55 UTC; 10 that" in event.text
        for event in kept.journal.list_events()
    )


def test_a_journal_from_the_future_does_not_hold_back_the_present(kept: Kept) -> None:
    kept.look(NOW_S + 400 * 24 * HOUR_S)
    again = Keeper(kept.journal, kept.schedule)
    again.open(NOW_S + 60)
    for run in kept.journal.list_open():
        again.end(run, DONE, NOW_S + 60)
    [run] = again.look(DUE_S, 0.0)
    assert run.due_s == DUE_S


def test_a_wish_runs_now_and_once(kept: Kept) -> None:
    kept.look(NOW_S + 1)
    for entry in ("one", "one", "nothing"):
        kept.journal.add_wish(entry, "anna", NOW_S)
    [run] = kept.look(NOW_S + 2)
    assert (run.entry, run.asked_by) == ("one", "anna")
    assert kept.journal.list_wishes() == []


def test_a_changed_rule_begins_to_count_anew_and_a_removed_entry_ends(tmp_path: Path) -> None:
    kept = Kept(tmp_path, make_entry(), make_entry("two"))
    kept.look(DUE_S)
    changed = make_schedule(tmp_path, make_entry(when="every 10 minutes"))
    again = Keeper(kept.journal, changed)
    [running] = again.open(DUE_S + 3 * HOUR_S)
    assert running.entry == "one"
    assert again.look(DUE_S + 3 * HOUR_S, 0.0) == []
    [gone] = kept.journal.list_runs("two")
    assert (gone.state, gone.why) == ("failed", "its entry is no longer in the schedule")
    kept.journal.close()


def test_only_what_is_new_is_told(tmp_path: Path) -> None:
    kept = Kept(tmp_path, make_entry(do="search", more='query = "x"'), head='feed = "news.atom"')
    found = [NewsItem("a", "A"), NewsItem("b", "B")]
    for hour, items in enumerate((found[:1], found, found)):
        [run] = kept.look(DUE_S + hour * HOUR_S)
        news = News("New answers.", tuple(items), first_is_new=False)
        kept.keeper.end(run, Ending(0, kept.now_s, news=news), kept.now_s)
    [notice] = kept.journal.list_notices("waiting")
    assert (notice.channel, notice.subject, notice.items) == ("feed", "one: 1 new", (NewsItem("b", "B"),))
    kept.journal.close()
