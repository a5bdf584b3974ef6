"""Send notices on their channels; one that is refused waits for a growing time, and is given up after five days."""

from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec

from gossamer.config import Politeness
from gossamer.context.write_feed import FeedEntry, render_feed, write_feed_file
from gossamer.errors import BadInput
from gossamer.fetch.post_message import post_message
from gossamer.fetch.user_agent_header import format_user_agent
from gossamer.schedule.journal.journal_records import Notice
from gossamer.schedule.schedule_records import WrittenSchedule
from gossamer.schedule.tell.send_mail import send_mail
from gossamer.watch.report.deliver_changes import make_command

FIRST_PAUSE_S, LONGEST_PAUSE_S = 60.0, 6 * 3_600.0
GIVE_UP_S = 5 * 86_400.0
FEWEST_TRIES = 10
MOST_FEED_ENTRIES = 100

Send = Callable[[Notice], str]
"""Tells a notice; returns why that failed, or ""."""


class Sender:
    """Tells notices as a schedule says."""

    def __init__(
        self, written: WrittenSchedule, folder: Path, list_feed: Callable[[], Sequence[Notice]]
    ) -> None:
        """`list_feed` returns all notices of the feed, those that wait included."""
        self._written = written
        self._folder = folder
        self._list_feed = list_feed
        self._ways: dict[str, Send] = {
            "mail": self._send_mail,
            "feed": self._write_feed,
            "webhook": self._post,
            "command": self._run_command,
        }

    def send(self, notice: Notice) -> str:
        """Tell a notice; return why that failed, or ""."""
        return self._ways[notice.channel](notice)

    def _send_mail(self, notice: Notice) -> str:
        mail = self._written.mail
        return (
            send_mail(mail, notice, self._folder) if mail else "the schedule no longer says how to send mail"
        )

    def _write_feed(self, _: Notice) -> str:
        if not self._written.feed:
            return "the schedule no longer names a feed"
        path = self._folder / self._written.feed
        entries = [make_feed_entry(one) for one in self._list_feed()[-MOST_FEED_ENTRIES:]]
        try:
            write_feed_file(path, render_feed("What is new", f"schedule {path}", entries))
        except BadInput as error:
            return str(error)
        return ""

    def _post(self, notice: Notice) -> str:
        if not self._written.webhook:
            return "the schedule no longer names a webhook"
        agent = format_user_agent(Politeness(contact=self._written.contact))
        return post_message(self._written.webhook, encode_notice(notice), agent, self._written.allow_private)

    def _run_command(self, notice: Notice) -> str:
        if not self._written.command:
            return "the schedule no longer names a command"
        return make_command(list(self._written.command)).send(encode_notice(notice) + b"\n")


def make_feed_entry(notice: Notice) -> FeedEntry:
    """Return a notice as an entry of an Atom feed."""
    url = notice.items[0].url if len(notice.items) == 1 else ""
    links = tuple((item.url, item.title) for item in notice.items if item.url)
    return FeedEntry(notice.id, notice.subject, notice.created_s, notice.text, url, links)


def encode_notice(notice: Notice) -> bytes:
    """Return a notice as one object of JSON, for a webhook or a command."""
    facts = {
        "id": notice.id,
        "entry": notice.entry,
        "subject": notice.subject,
        "text": notice.text,
        "when_s": notice.created_s,
        "items": [{"title": item.title, "url": item.url} for item in notice.items],
    }
    return msgspec.json.encode(facts)


def judge_sending(notice: Notice, why: str, now_s: float) -> Notice:
    """Return a notice after an attempt to tell it: sent, waiting for the next one, or given up."""
    tries = notice.tries + 1
    if not why:
        return msgspec.structs.replace(notice, state="sent", tries=tries, why="")
    # Both: a clock that jumps, or a runner that was off for a week, must not end it after one try.
    if now_s - notice.created_s > GIVE_UP_S and tries >= FEWEST_TRIES:
        return msgspec.structs.replace(notice, state="given up", tries=tries, why=why)
    pause_s = min(FIRST_PAUSE_S * 2 ** min(tries - 1, 20), LONGEST_PAUSE_S)
    return msgspec.structs.replace(notice, tries=tries, why=why, next_s=now_s + pause_s)


def is_due(notice: Notice, now_s: float) -> bool:
    """Say whether a notice is to be told now; a pause that a clock which was set back made longer is cut."""
    return notice.state == "waiting" and not now_s < notice.next_s <= now_s + LONGEST_PAUSE_S
