"""Orders wait in a file until a crawl has carried them out."""

from pathlib import Path

from gossamer.crawl.control.command_mailbox import Change, Continue, Mailbox, Stop, Submit, is_running
from gossamer.store.lock import Lock


def test_orders_are_kept_until_they_are_carried_out(tmp_path: Path) -> None:
    sender, reader = Mailbox(tmp_path), Mailbox(tmp_path)
    assert reader.read_new() == []
    sender.append(Stop(1, pause=True))
    sender.append(Submit(2, ("http://a.example/",)))
    assert reader.read_new() == [Stop(1, pause=True), Submit(2, ("http://a.example/",))]
    assert reader.read_new() == []
    sender.append(Change(1, {"pages": 5}))
    assert reader.read_new() == [Change(1, {"pages": 5})]
    assert Mailbox(tmp_path).read_new() != []  # after a kill, all orders are read again
    sender.append(Continue(1))
    reader.forget({1})
    assert Mailbox(tmp_path).read_new() == [Submit(2, ("http://a.example/",)), Continue(1)]
    assert reader.read_new() == [Continue(1)]


def test_lines_that_are_no_orders_are_passed_over(tmp_path: Path) -> None:
    (tmp_path / "control").write_bytes(
        b'\xff\n{"order": "dance", "task": 1}\n[]\n\n{"order": "stop", "task": 3}\n{"ord'
    )
    mailbox = Mailbox(tmp_path)
    assert mailbox.read_new() == [Stop(3)]
    with (tmp_path / "control").open("ab") as file:
        file.write(b'er": "continue", "task": 4}\n')
    assert mailbox.read_new() == [Continue(4)]


def test_a_lock_shows_that_a_crawl_is_running(tmp_path: Path) -> None:
    assert not is_running(tmp_path)
    with Lock(tmp_path):
        assert is_running(tmp_path)
    assert not is_running(tmp_path)
