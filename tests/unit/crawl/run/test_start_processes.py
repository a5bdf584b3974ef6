"""Processes that stand by for a crawl are gone when it does not come, and are given out before new ones are made."""

import os

import pytest

from gossamer.crawl.run.start_processes import ProcessCrew


def test_those_that_stand_by_are_given_out_first_and_the_others_end_with_the_crew() -> None:
    with ProcessCrew(2) as crew:
        first = crew.take_process()
        try:
            assert first.process.poll() is None
            (second,) = crew._standing_by
        finally:
            first.end()
            os.close(first.events)
        assert first.process.returncode is not None
    assert second.process.returncode is not None
    assert crew._standing_by == []


@pytest.mark.slow
def test_one_that_nobody_wants_any_more_ends_by_itself() -> None:
    with ProcessCrew(2) as crew:
        child = crew.take_process()
        child._control.close()  # as when the program was killed
        assert child.process.wait(600) == 3
        os.close(child.events)


def test_a_crawl_in_this_process_needs_no_others() -> None:
    assert ProcessCrew(1)._standing_by == []
