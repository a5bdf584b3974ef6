"""The changes that were found on watched pages, as the web keeps them and as people and programs receive them."""

import uuid
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from typing import Any, Literal

import msgspec

from gossamer.store.batch import Store
from gossamer.watch.difference.find_edits import Edit
from gossamer.watch.difference.mark_words import WordSpan, mark_words

ROOM = "watch changes"
"""The name under which the store keeps changes, each under its time and its page."""
MOST_CHANGES = 1_000
"""Changes that a web keeps; older ones are deleted."""
_MOST_BLOCKS = 200
_MOST_CHARS = 40_000
"""What one change shows; how many further blocks differ is counted."""

ChangeKind = Literal["changed", "gone", "back", "moved", "failing", "part gone", "part back"]
BlockKind = Literal["changed", "added", "removed"]


class BlockChange(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """One paragraph that differs, with its words marked."""

    kind: BlockKind
    words: tuple[WordSpan, ...]


class PageChange(msgspec.Struct, frozen=True):
    """What happened to a watched page."""

    url: str
    part: str
    """The watched part, as in `select #news`; "" for the main text."""
    kind: ChangeKind
    when_s: float
    """When the change was seen."""
    before_s: float = 0.0
    """When the version before was fetched; 0 if there is none."""
    title: str = ""
    detail: str = ""
    """Where it moved to, or why it fails."""
    blocks: tuple[BlockChange, ...] = ()
    left_out: int = 0
    """How many further paragraphs differ."""

    @property
    def name(self) -> str:
        """The name of its note: changes sort by time."""
        return f"{self.when_s:017.3f} {self.id}"

    @property
    def id(self) -> str:
        """A name that no other change has, and that stays."""
        about = f"{self.url}\n{self.part}\n{self.when_s:.3f}\n{self.kind}"
        return str(uuid.uuid5(uuid.NAMESPACE_URL, about.encode("utf-8", "replace").decode()))


_CHANGE = msgspec.msgpack.Decoder(PageChange)


def list_changes(store: Store, url: str = "") -> list[PageChange]:
    """Return the changes of all pages, or of one, the newest first; notes that cannot be read are left out."""
    found = []
    for _, data in store.notes(ROOM):
        try:
            found.append(_CHANGE.decode(data))
        except (msgspec.MsgspecError, UnicodeDecodeError):
            continue
    return [one for one in reversed(found) if not url or one.url == url]


def make_notes(store: Store, changes: Iterable[PageChange]) -> dict[tuple[str, str], bytes | None]:
    """Return the notes that add changes to the log, and delete the oldest ones beyond the limit."""
    notes: dict[tuple[str, str], bytes | None] = {
        (ROOM, one.name): msgspec.msgpack.encode(one) for one in changes
    }
    names = sorted({name for name, _ in store.notes(ROOM)} | {name for _, name in notes})
    return notes | {(ROOM, name): None for name in names[:-MOST_CHANGES]}


def describe_edits(edits: Sequence[Edit]) -> tuple[tuple[BlockChange, ...], int]:
    """Return the paragraphs that edits changed, removed and added, and how many are left out."""
    blocks: list[BlockChange] = []
    chars = count = 0
    for edit in edits:
        pieces: list[tuple[BlockKind, str]] = [
            *(("removed", text) for text in edit.removed),
            *(("added", text) for text in edit.added),
        ]
        count += 1 if edit.paired else len(pieces)
        if chars > _MOST_CHARS or len(blocks) >= _MOST_BLOCKS:
            continue
        if edit.paired:
            made = [BlockChange("changed", mark_words(edit.removed[0], edit.added[0]))]
        else:
            made = [
                BlockChange(kind, (WordSpan("new" if kind == "added" else "gone", text),))
                for kind, text in pieces
            ]
        made = made[: _MOST_BLOCKS - len(blocks)]
        chars += sum(len(span.text) for one in made for span in one.words)
        blocks += made
    return tuple(blocks), count - len(blocks)


def to_facts(change: PageChange) -> dict[str, Any]:
    """Return a change as programs receive it: by --json, --notify and --webhook."""
    return {
        "change": change.kind,
        "url": change.url,
        "part": change.part,
        "title": change.title,
        "when": format_time(change.when_s),
        "before": format_time(change.before_s) if change.before_s else "",
        "detail": change.detail,
        "blocks": [
            {"kind": one.kind, "words": [{"kind": span.kind, "text": span.text} for span in one.words]}
            for one in change.blocks
        ],
        "left_out": change.left_out,
        "id": change.id,
    }


def format_time(time_s: float) -> str:
    """Return a Unix time as 2026-05-31T14:05:00Z."""
    return datetime.fromtimestamp(time_s, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def format_minute(time_s: float) -> str:
    """Return a Unix time as 2026-05-31 14:05 UTC."""
    return datetime.fromtimestamp(time_s, UTC).strftime("%Y-%m-%d %H:%M UTC")


_SENTENCES: dict[ChangeKind, str] = {
    "changed": "The text has changed.",
    "gone": "The page is gone",
    "back": "The page is back.",
    "moved": "The page has moved to",
    "failing": "The page cannot be fetched",
    "part gone": "The watched part is gone: the page does not have it.",
    "part back": "The watched part is on the page again.",
}


def describe_change(change: PageChange) -> str:
    """Return one sentence about a change."""
    sentence = _SENTENCES[change.kind]
    if sentence.endswith("."):
        return sentence
    joint = " " if change.kind == "moved" else ": "
    return f"{sentence}{joint}{change.detail}." if change.detail else f"{sentence}."
