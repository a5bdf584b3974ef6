"""Tasks are continued by the crawl that runs, or by a process that is started for them."""

import time
from pathlib import Path

import pytest

from gossamer.config import from_options
from gossamer.crawl.control.command_mailbox import Continue, Mailbox, Stop, is_running
from gossamer.crawl.control.send_order import carry_out_order, send_order
from gossamer.crawl.control.start_tasks import NOT_STARTED, add_task
from gossamer.crawl.steer.command_lines import make_change_command, make_stop_command, make_submit_command
from gossamer.crawl.steer.continue_task import continue_task
from gossamer.crawl.steer.start_process import list_starts, read_start, start_process
from gossamer.errors import BadInput
from gossamer.store.lock import Lock
from gossamer.web import Web

SEED = "http://127.0.0.1:9/"


def test_a_new_task_waits_in_the_store_for_a_crawl(tmp_path: Path) -> None:
    with Web(tmp_path / "w") as web:
        add_task(web.store, from_options(seeds=[SEED]), 5.0)
        note = add_task(web.store, from_options(seeds=[SEED], name="second"), 6.0)
        assert (note.number, note.state, note.reason) == (2, "stopped", NOT_STARTED)
        assert [request.url for _, request in web.store.all_sent()] == [SEED, SEED]
        assert [url for _, url in web.store.known_urls()] == [SEED]
        assert web.store.count_remaining(2) == 1


def test_an_order_goes_to_the_crawl_or_into_the_store(tmp_path: Path) -> None:
    with Web(tmp_path / "w") as web:
        note = add_task(web.store, from_options(seeds=[SEED]), 5.0)
        assert not send_order(web.store, web.folder, Stop(note.number, pause=True, reason="why"))
        assert web.task("1").state == "paused"
        with Lock(web.folder):
            assert send_order(web.store, web.folder, Continue(note.number))
        assert Mailbox(web.folder).read_new() == [Continue(1)]


def test_a_crawl_that_does_not_answer_is_told_and_not_waited_for(tmp_path: Path) -> None:
    with Web(tmp_path / "w") as web:
        note = add_task(web.store, from_options(seeds=[SEED]), 5.0)
        with Lock(web.folder):
            assert not carry_out_order(web.store, web.folder, Stop(1), lambda one: one.state == "paused", 0.1)
            assert continue_task(web.store, web.folder, note, 0.1) == "told"


def test_a_log_that_is_a_link_is_neither_written_nor_read(tmp_path: Path) -> None:
    mine = tmp_path / "mine"
    mine.write_text('{"task":1,"process":1,"when_s":0}\nsecret')
    with Web(tmp_path / "w") as web:
        add_task(web.store, from_options(seeds=[SEED]), 5.0)
        (web.folder / "started-1.log").symlink_to(mine)
        with pytest.raises(BadInput, match="no crawl can be started"):
            start_process(web.folder, 1, 0.0)
        assert read_start(web.folder, 1) is None
    assert "secret" in mine.read_text()


@pytest.mark.slow
def test_a_process_crawls_the_task_and_says_what_went_wrong(tmp_path: Path) -> None:
    with Web(tmp_path / "w") as web:
        note = add_task(web.store, from_options(seeds=[SEED], allow_private=["127.0.0.0/8"], tries=1), 5.0)
        assert continue_task(web.store, web.folder, note, 1.0) == "started"
        started = read_start(web.folder, 1)
        assert started is not None
        assert started.alive
        until_s = time.monotonic() + 60
        while (found := read_start(web.folder, 1)) and found.alive and time.monotonic() < until_s:
            time.sleep(0.05)
        assert found is not None
        assert not found.alive
        assert "could not fetch any page" in found.said
        assert web.task("1").state == "finished"
        assert not is_running(web.folder)
        assert [one.task for one in list_starts(web.folder)] == [1]


def test_a_folder_that_cannot_be_written_is_told_in_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"no crawl can be started: .* cannot be written"):
        start_process(tmp_path / "gone", 1, time.time())
    assert read_start(tmp_path, 1) is None


def test_a_log_that_is_none_is_passed_over(tmp_path: Path) -> None:
    (tmp_path / "started-1.log").write_bytes(b"\xff\xfe nonsense\n{}")
    assert read_start(tmp_path, 1) is None
    assert list(list_starts(tmp_path)) == []


def test_commands_are_quoted_for_a_shell(tmp_path: Path) -> None:
    folder = tmp_path / "my web; rm -rf x"
    assert make_stop_command(folder, 3, pause=True) == f"gossamer stop 3 --pause --web '{folder}'"
    assert "--exclude 'a b$(x)'" in make_change_command(folder, 3, {"exclude": ("a b$(x)",)})
    assert "submit --withdraw 'http://a/?x=1&y=2' --task 3" in make_submit_command(
        folder, 3, ["http://a/?x=1&y=2"], withdraw=True
    )
