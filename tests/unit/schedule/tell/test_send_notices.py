"""Notices go into a feed, to a command and to a webhook; pauses grow, and end after five days."""

import sys
from pathlib import Path
from xml.etree import ElementTree

import msgspec
import pytest

from gossamer.schedule.journal.journal_records import NewsItem, Notice
from gossamer.schedule.schedule_records import WrittenSchedule
from gossamer.schedule.tell.send_notices import GIVE_UP_S, Sender, is_due, judge_sending

ITEMS = (NewsItem("a", "<b>A</b>", "https://a.example/"), NewsItem("b", "B"))
ATOM = "{http://www.w3.org/2005/Atom}"


def make_notice(channel: str, number: int = 1) -> Notice:
    return Notice(
        number, f"id-{number}", channel, "weekly", f"weekly: {number} new", "Two.", ITEMS, 10.0 * number
    )


def make_sender(folder: Path, *notices: Notice, **ways: object) -> Sender:
    written = msgspec.convert(
        {"webs": {}, "entries": [{"name": "x", "web": "", "do": "index", "when": ""}], **ways},
        WrittenSchedule,
    )
    return Sender(written, folder, lambda: notices)


def test_a_feed_has_all_notices_and_is_whole(tmp_path: Path) -> None:
    notices = [make_notice("feed", number) for number in (1, 2)]
    assert make_sender(tmp_path, *notices, feed="news.atom").send(notices[0]) == ""
    feed = ElementTree.parse(tmp_path / "news.atom").getroot()  # noqa: S314
    assert [entry.findtext(f"{ATOM}title") for entry in feed.iter(f"{ATOM}entry")] == [
        "weekly: 2 new",
        "weekly: 1 new",
    ]


def test_a_feed_in_a_folder_that_is_not_there_gets_a_sentence(tmp_path: Path) -> None:
    sender = make_sender(tmp_path, feed="none/news.atom")
    assert "cannot be written" in sender.send(make_notice("feed"))


def test_a_command_reads_a_notice_and_its_failure_is_told(tmp_path: Path) -> None:
    program = f"import sys; open({str(tmp_path / 'told')!r}, 'w').write(sys.stdin.read())"
    sender = make_sender(tmp_path, command=[sys.executable, "-c", program])
    assert sender.send(make_notice("command")) == ""
    told = msgspec.json.decode((tmp_path / "told").read_bytes())
    assert told["items"] == [{"title": "<b>A</b>", "url": "https://a.example/"}, {"title": "B", "url": ""}]
    assert "cannot be run" in make_sender(tmp_path, command=["/no/such"]).send(make_notice("command"))


def test_a_webhook_that_leads_to_a_private_address_is_refused(tmp_path: Path) -> None:
    sender = make_sender(tmp_path, webhook="http://127.0.0.1:9/")
    assert "its address is not public (127.0.0.1 is loopback)" in sender.send(make_notice("webhook"))


@pytest.mark.parametrize("channel", ["mail", "feed", "webhook", "command"])
def test_a_way_that_was_removed_from_the_schedule_is_told(channel: str, tmp_path: Path) -> None:
    assert "no longer" in make_sender(tmp_path).send(make_notice(channel))


def test_pauses_grow_and_end() -> None:
    notice, now_s = make_notice("mail"), 10.0
    pauses = []
    while notice.state == "waiting":
        notice = judge_sending(notice, "refused", now_s)
        if notice.state == "waiting":
            pauses.append(notice.next_s - now_s)
            assert not is_due(notice, notice.next_s - 1)
            now_s = notice.next_s
            assert is_due(notice, now_s)
    assert pauses[:4] == [60, 120, 240, 480]
    assert max(pauses) == 6 * 3600
    assert notice.state == "given up"
    assert now_s - notice.created_s > GIVE_UP_S
    assert judge_sending(make_notice("mail"), "", 10.0).state == "sent"


def test_a_clock_that_was_set_back_does_not_make_a_pause_of_years() -> None:
    waiting = judge_sending(make_notice("mail"), "refused", 1e9)
    assert is_due(waiting, 1e6)
