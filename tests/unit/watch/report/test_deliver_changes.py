"""Changes are delivered once; what fails is kept for the next check."""

import json
import sys
from pathlib import Path

import pytest

from gossamer.store.batch import Batch
from gossamer.store.sqlite.sqlite_store import SqliteStore
from gossamer.watch.change_log import MOST_CHANGES, PageChange, list_changes, make_notes
from gossamer.watch.report.deliver_changes import Delivery, deliver, make_command


@pytest.fixture
def store(tmp_path: Path) -> SqliteStore:
    return SqliteStore(tmp_path / "state.sqlite", create=True)


def keep(store: SqliteStore, *changes: PageChange) -> list[PageChange]:
    store.commit(Batch(notes=make_notes(store, changes)))
    return list(changes)


def make(number: int) -> PageChange:
    return PageChange(f"http://a.example/{number}", "", "changed", 1e9 + number)


def test_what_fails_is_kept_in_order_and_sent_later(store: SqliteStore) -> None:
    sent: list[str] = []
    broken = True

    def send(facts: bytes) -> str:
        if broken and sent:
            return "no answer"
        sent.append(json.loads(facts)["url"][-1])
        return ""

    changes = keep(store, make(1), make(2), make(3))
    assert deliver(store, changes, [Delivery("webhook", send)]) == [("webhook", "no answer")]
    broken = False
    assert deliver(store, keep(store, make(4)), [Delivery("webhook", send)]) == []
    assert sent == ["1", "2", "3", "4"]
    assert deliver(store, [], [Delivery("webhook", send)]) == []
    assert len(sent) == 4


def test_channels_do_not_wait_for_each_other(store: SqliteStore) -> None:
    told: list[bytes] = []

    def take(facts: bytes) -> str:
        told.append(facts)
        return ""

    deliveries = [Delivery("command", lambda _: "broken"), Delivery("webhook", take)]
    assert deliver(store, keep(store, make(1)), deliveries) == [("command", "broken")]
    assert len(told) == 1


def test_a_command_gets_json_and_its_failures_are_sentences(tmp_path: Path) -> None:
    file = tmp_path / "told"
    program = f"import sys; open({str(file)!r}, 'w').write(sys.stdin.read())"
    assert make_command([sys.executable, "-c", program]).send(b'{"a":1}') == ""
    assert file.read_text() == '{"a":1}'
    assert "exit code 3" in make_command([sys.executable, "-c", "raise SystemExit(3)"]).send(b"")
    assert "cannot be run" in make_command(["/no/such/program"]).send(b"")


def test_the_log_keeps_the_newest_changes(store: SqliteStore) -> None:
    keep(store, *(make(number) for number in range(MOST_CHANGES)))
    keep(store, make(MOST_CHANGES), make(MOST_CHANGES + 1))
    changes = list_changes(store)
    assert len(changes) == MOST_CHANGES
    assert changes[0] == make(MOST_CHANGES + 1)
    assert changes[-1] == make(2)
    assert list_changes(store, "http://a.example/7") == [make(7)]
