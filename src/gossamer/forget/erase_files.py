"""Take forgotten pages out of the files beside the state, the archive and the index."""

import shutil
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import msgspec

from gossamer.atomic_file import write_atomically
from gossamer.context.hot.stored_texts import FOLDER as HOT
from gossamer.context.themes.theme_file import FOLDER as THEMES
from gossamer.context.words.tokens.token_store import FOLDER as WORDS
from gossamer.crawl.control.command_mailbox import FILE_NAME as CONTROL
from gossamer.crawl.status.status_file import FOLDER as STATUS
from gossamer.errors import GossamerError
from gossamer.forget.needles import Needles
from gossamer.link_check.facts.facts_file import FOLDER as CHECK
from gossamer.store.model_folder import keep_topic_model, topic_model, topic_names
from gossamer.text.topics.topic_model import TopicModel

REPORTS = "reports"
WORKBENCH = "workbench"
DERIVED = (HOT, THEMES, WORDS, CHECK, STATUS, REPORTS, WORKBENCH)
"""Folders whose files are made from the state and the archive, by the next command that needs them."""


def erase_files(folder: Path, needles: Needles, covers: Callable[[str], bool]) -> list[str]:
    """Remove what is derived from pages, and take URLs out of the rest; return the folders that were removed."""
    removed = []
    for name in DERIVED:
        if (folder / name).is_dir():
            shutil.rmtree(folder / name)
            removed.append(name)
    for left in folder.glob(".gossamer-*.part"):  # of killed writers; no other writer is at work
        with suppress(OSError):
            shutil.rmtree(left)
    _clean_orders(folder / CONTROL, covers)
    for name in topic_names(folder):
        _clean_topic(folder, name, needles)
    return removed


def _clean_orders(path: Path, covers: Callable[[str], bool]) -> None:
    """Take forgotten pages out of orders that wait for a crawl."""
    if not path.is_file() or not path.stat().st_size:
        return
    lines = []
    for line in path.read_bytes().splitlines():
        try:
            order = msgspec.json.decode(line)
        except msgspec.MsgspecError:
            continue
        if isinstance(order, dict) and isinstance(order.get("urls"), list):
            order["urls"] = [url for url in order["urls"] if not covers(str(url))]
            if not order["urls"]:
                continue
        lines.append(msgspec.json.encode(order) + b"\n")
    with write_atomically(path) as new:
        new.write_bytes(b"".join(lines))


def _clean_topic(folder: Path, name: str, needles: Needles) -> None:
    """Take forgotten pages out of the examples that a topic keeps."""
    try:
        model = topic_model(folder, name)
    except GossamerError:  # a damaged file, which `verify` reports
        return
    kept = tuple(
        one
        for one in model.card.kept
        if not needles.is_in(f"{one.url} {one.text}".encode("utf-8", "replace"))
    )
    if len(kept) == len(model.card.kept):
        return
    card = msgspec.structs.replace(model.card, kept=kept)
    keep_topic_model(TopicModel(model.parts._replace(card=card)), folder, name)
