"""Read a schedule from its file; an error is one sentence that names what is wrong and what is possible."""

import tomllib
from pathlib import Path
from typing import get_args
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import msgspec

from gossamer.errors import BadInput
from gossamer.fetch.address_guard import parse_networks
from gossamer.fetch.post_message import check_post_address
from gossamer.option_errors import explain_error, suggest
from gossamer.schedule.rules.due_times import SitemapChange, find_next
from gossamer.schedule.rules.parse_rule import parse_duration, parse_rule
from gossamer.schedule.schedule_records import (
    CHANNELS,
    Action,
    Channel,
    Entry,
    Mail,
    Missed,
    Schedule,
    Security,
    WrittenEntry,
    WrittenSchedule,
)

_SECTIONS = ("webs", "mail", "entries")
_CHOICES = {
    "do": get_args(Action),
    "missed": get_args(Missed),
    "security": get_args(Security),
    **dict.fromkeys(("tell", "tell[...]"), CHANNELS),
}
_LONGEST_FILE = 1_000_000
_SHORTEST_LOOK_S = 60.0
_NEEDS = {"crawl": "task", "search": "query"}
_ADDRESS = "://"


def read_schedule(path: Path, now_s: float) -> Schedule:
    """Read and check a schedule; `now_s` tells whether a rule ever comes."""
    try:
        with path.open("rb") as file:
            text = file.read(_LONGEST_FILE + 1)
        if len(text) > _LONGEST_FILE:
            raise BadInput(f"{path} is too long for a schedule")
        content = tomllib.loads(text.decode("utf-8"))
    except OSError as error:
        raise BadInput(f"cannot read the schedule {path}: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise BadInput(f"{path} is not a schedule: {error}") from None
    try:
        written = msgspec.convert(content, WrittenSchedule)
    except msgspec.ValidationError as error:
        raise BadInput(f"{path}: {_explain(str(error))}") from None
    try:
        return _check(written, path.resolve().parent, now_s)
    except BadInput as error:
        raise BadInput(f"{path}: {error}") from None


def _explain(message: str) -> str:
    """Say in the terms of the user what msgspec refuses, and in which entry."""
    complaint, _, path = message.partition(" - at `$.")
    room = path.partition("[")[0].partition(".")[0].rstrip("`")
    kinds: dict[str, type[msgspec.Struct]] = {"entries": WrittenEntry, "mail": Mail}
    names = [field.encode_name for field in msgspec.structs.fields(kinds.get(room) or WrittenSchedule)]
    place = {"entries": "an entry", "mail": "[mail]"}.get(room, "the schedule")
    if "unknown field" in complaint:
        wrong = complaint.split("`")[1]
        near = suggest(wrong, names) or f"; its keys are {', '.join(names)}"
        return f"{place} has no key {wrong!r}{near}"
    if "missing required field" in complaint:
        return f"{place} needs the key {complaint.split('`')[1]!r}"
    if "entries" in path and ".name" in path:
        return (
            "the name of an entry has up to 60 letters, digits, dots, hyphens and _, as in 'weekly-recrawl'"
        )
    if "length" in complaint:
        return f"{room or 'the schedule'} must not be empty"
    places = dict.fromkeys(names, "")
    return explain_error(message.replace("$.entries[...]", "$"), places, _CHOICES, _SECTIONS)


def _check(written: WrittenSchedule, folder: Path, now_s: float) -> Schedule:
    """Check what the types cannot; relative paths lead from the folder of the file."""
    webs = {name: _find_web(web, folder) for name, web in written.webs.items()}
    _check_telling(written)
    entries: dict[str, Entry] = {}
    for one in written.entries:
        if one.name in entries:
            raise BadInput(f"two entries are called {one.name!r}; give each a name of its own")
        entries[one.name] = _check_entry(one, written, folder, now_s)
    grace_s = parse_duration(written.grace, "grace")
    return Schedule(webs=webs, entries=entries, at_once=written.at_once, grace_s=grace_s, written=written)


def _find_web(web: str, folder: Path) -> str:
    return web if _ADDRESS in web else str(folder / web)


def _check_entry(one: WrittenEntry, written: WrittenSchedule, folder: Path, now_s: float) -> Entry:
    where = f"the entry {one.name!r}"
    if one.web not in written.webs:
        raise BadInput(
            f"{where} names the web {one.web!r}, and there is none{suggest(one.web, written.webs)}"
            f"; [webs] names {', '.join(written.webs) or 'no web'}"
        )
    needed = _NEEDS.get(one.do, "")
    if needed and not getattr(one, needed):
        raise BadInput(f"{where} needs {needed!r} to {one.do}")
    if one.task and not (folder / one.task).is_file():
        raise BadInput(f"{where} names the task file {one.task}, which does not exist")
    try:
        entry = _make_entry(one, written)
    except BadInput as error:
        raise BadInput(f"{where}: {error}") from None
    if isinstance(entry.rule, SitemapChange):
        if not one.sitemap:
            raise BadInput(f'{where} needs the address of the sitemap: sitemap = "https://…/sitemap.xml"')
        check_post_address(one.sitemap)
        if entry.look_every_s < _SHORTEST_LOOK_S:
            raise BadInput(f"{where}: look_every is a minute or more, to be polite to the server")
    elif find_next(entry.rule, now_s, entry.zone) is None:
        raise BadInput(f"{where}: {one.when!r} never comes; there is no such day")
    return entry


def _make_entry(one: WrittenEntry, written: WrittenSchedule) -> Entry:
    rule = parse_rule(one.when)
    tell = one.tell if one.tell is not None else _list_channels(written)
    absent = [channel for channel in tell if channel not in _list_channels(written)]
    if absent:
        raise BadInput(f"it tells by {absent[0]}, and the schedule does not say how; add `{absent[0]}` to it")
    longest_s = parse_duration(one.longest or written.longest, "longest")
    return Entry(
        name=one.name,
        web=one.web,
        do=one.do,
        when=one.when,
        rule=rule,
        zone=_find_zone(one.time_zone or written.time_zone),
        written=one,
        missed=one.missed or written.missed,
        longest_s=longest_s,
        look_every_s=parse_duration(one.look_every, "look_every"),
        tries=one.tries,
        tell=tell,
    )


def _find_zone(name: str) -> ZoneInfo:
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise BadInput(
            f"there is no time zone {name[:80]!r}; write it as Europe/Berlin, America/New_York or UTC"
        ) from None


def _list_channels(written: WrittenSchedule) -> tuple[Channel, ...]:
    """Return the ways of telling that a schedule sets up."""
    given = {
        "mail": written.mail is not None,
        "feed": bool(written.feed),
        "webhook": bool(written.webhook),
        "command": bool(written.command),
    }
    return tuple(channel for channel in CHANNELS if given[channel])


def _check_telling(written: WrittenSchedule) -> None:
    parse_networks(written.allow_private)
    if written.webhook:
        check_post_address(written.webhook)
        _check_private(written.webhook, written.allow_private)
    mail = written.mail
    if mail is None:
        return
    for address in (*mail.to, mail.sender):
        if "@" not in address or not address.isprintable() or any(char in address for char in " ,;<>"):
            raise BadInput(f"{address!r} is not a mail address; write it as name@example.org")
    if mail.user and mail.security == "none":
        raise BadInput('[mail]: a password is sent over TLS only; choose security = "starttls" or "tls"')
    if mail.user and not (mail.password_file or mail.password_variable):
        raise BadInput(
            "[mail]: user needs password_file or password_variable, which say where its password is"
        )


def _check_private(url: str, allowed: tuple[str, ...]) -> None:
    """Raise BadInput if a URL names a private address itself; names are looked up when something is sent."""
    from urllib.parse import urlsplit

    from gossamer.fetch.address_guard import check_address

    host = urlsplit(url).hostname or ""
    address = {"localhost": "127.0.0.1"}.get(host, host)
    why = check_address(address, allowed)
    if why not in (None, "not an address"):
        raise BadInput(
            f"the webhook {url} leads to an address that is not public ({address} is {why}); "
            f'allow_private = ["{address}"] permits it'
        )


def is_timed(entry: Entry) -> bool:
    """Say whether a clock tells when an entry is due."""
    return not isinstance(entry.rule, SitemapChange)


def describe_due(entry: Entry, now_s: float) -> float | None:
    """Return when an entry is due next; None if a sitemap tells."""
    return find_next(entry.rule, now_s, entry.zone) if is_timed(entry) else None
