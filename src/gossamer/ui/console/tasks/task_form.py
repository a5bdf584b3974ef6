"""The form of a task: a field for each option, made from the fields of `TaskSpec`, so that page and program cannot differ."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Literal, get_args, get_origin

import msgspec

from gossamer import config
from gossamer.config import Option, TaskSpec
from gossamer.crawl.control.check_task import check_task
from gossamer.crawl.control.start_tasks import list_start_pages
from gossamer.errors import BadInput, GossamerError
from gossamer.task_file import read_option, to_flag
from gossamer.topic_training.task_topic import check_topic, is_path

FieldKind = Literal["text", "number", "lines", "choice", "tick"]

START_PAGES = "Start pages"
GROUPS: dict[str, tuple[str, ...]] = {
    START_PAGES: ("seeds", "sitemaps", "name"),
    "Scope and depth": ("scope", "depth", "site_rule"),
    "Limits": ("pages", "per_host", "body_bytes", "time_s", "expires_s"),
    "Filters": (
        *("include", "exclude", "include_hosts", "exclude_hosts"),
        *("language", "kinds", "content_seen", "traps", "nofollow"),
    ),
    "Order and topic": ("order", "topic", "focus", "tunnel", "notice", "weight"),
    "Politeness": (
        *("delay_s", "at_once", "per_address", "adaptive", "max_delay_s", "robots", "robots_age_s"),
        *("bandwidth", "host_bandwidth", "quiet_hours"),
        *("back_off_s", "tries", "user_agent", "contact"),
    ),
    "Fetching": (
        *("page_bytes", "page_links", "page_time_s", "connect_time_s", "first_byte_time_s", "head_bytes"),
        *(
            "expansion",
            "connections",
            "most_connections",
            "cookies",
            "head_only",
            "max_age_s",
            "conditional",
            "allow_private",
            "schemes",
        ),
    ),
    "Keeping": ("bodies", "links", "texts", "requisites"),
    "Rendering": ("render", "render_share", "render_time_s", "render_robots", "screenshots"),
    "Plug-ins": (
        *("page_classifiers", "link_classifiers", "page_filters", "link_filters", "listeners", "readers"),
    ),
}
"""The fields of the form, by their headings."""
OPEN_GROUPS = (START_PAGES, "Scope and depth", "Limits", "Filters")
"""Those that a page shows at once; the others unfold."""
COMMAND_LINE_ONLY = ("seed_files", "allow_files", "hosts_file", "auth", "proxy", "browser")
"""Options that read files of this machine or may hold a password: only its command line has them."""
_UNITS = {"_s": "seconds", "_bytes": "bytes"}
_LABELS = {"seeds": "start pages", "pages": "page limit", "links": "links of pages", "body_bytes": "bytes"}
_ANY_PAGE = "https://www.example.org/"

Typed = Mapping[str, str]
"""The fields of a form as they were typed."""


class FormField(msgspec.Struct, frozen=True):
    """One option as a form shows it."""

    name: str
    label: str
    help: str
    flag: str
    kind: FieldKind
    value: str
    """As it was typed, or as it is."""
    choices: tuple[str, ...] = ()
    default: str = ""
    """Shown in an empty field."""
    error: str = ""
    changed: bool = False
    """Whether it differs from the default."""


class FieldGroup(msgspec.Struct, frozen=True):
    """Fields below one heading."""

    title: str
    fields: tuple[FormField, ...]

    @property
    def is_open(self) -> bool:
        """Whether a page shows it at once."""
        return self.title in OPEN_GROUPS or any(one.error or one.changed for one in self.fields)


class ParsedTask(msgspec.Struct, frozen=True):
    """What a form says."""

    spec: TaskSpec | None
    """None if something is wrong."""
    options: dict[str, Any]
    """The options that can be used, by their flat names."""
    errors: dict[str, str]
    """A sentence for each field that is wrong, by its name; under "" what belongs to none."""


def list_names(leave_out: Iterable[str] = ()) -> list[str]:
    """Return the names of all fields, without those of some groups."""
    out = set(leave_out)
    return [name for title, names in GROUPS.items() if title not in out for name in names]


def make_groups(
    typed: Typed, errors: Mapping[str, str], leave_out: Iterable[str] = ()
) -> tuple[FieldGroup, ...]:
    """Return the fields with what was typed into them, and what is wrong with each."""
    known = {option.name: option for option in config.options()}
    out = set(leave_out)
    return tuple(
        FieldGroup(title, tuple(_make_field(known[name], typed, errors.get(name, "")) for name in names))
        for title, names in GROUPS.items()
        if title not in out
    )


def make_fields(names: Iterable[str], typed: Typed, errors: Mapping[str, str]) -> tuple[FormField, ...]:
    """Return some fields with what was typed into them."""
    known = {option.name: option for option in config.options()}
    return tuple(_make_field(known[name], typed, errors.get(name, "")) for name in names)


def type_options(spec: TaskSpec, names: Iterable[str]) -> dict[str, str]:
    """Return the options of a task as they would be typed."""
    wanted = set(names)
    typed = {}
    for option in config.options():
        value = read_option(spec, option)
        if option.name not in wanted or (option.type is bool and not value):
            continue
        typed[option.name] = _to_typed(value)
    return typed


def parse_task(typed: Typed, names: Iterable[str], base: TaskSpec, folder: Path) -> ParsedTask:
    """Read a form into a task; options without a field stay as they are in `base`.

    Each field is checked for itself, so that every mistake is reported beside the field that it is in.
    """
    known = {option.name: option for option in config.options()}
    options: dict[str, Any] = {}
    errors: dict[str, str] = {}
    for name in names:
        option = known[name]
        try:
            value = _read_value(option, typed)
            if value != option.default and value != read_option(base, option):
                _check_field(name, value, typed, folder)
            options[name] = value
        except GossamerError as error:
            errors[name] = _shorten(str(error), name)
    if errors:
        return ParsedTask(None, options, errors)
    try:
        spec = config.replace_options(base, **options)
        list_start_pages(spec)
        check_task(spec, folder)
    except GossamerError as error:
        where = "seeds" if "seeds" in options and not options["seeds"] else ""
        return ParsedTask(None, options, {where: str(error)})
    return ParsedTask(spec, options, {})


def _make_field(option: Option, typed: Typed, error: str) -> FormField:
    plain = next((one for one in _UNITS if option.name.endswith(one)), "")
    label = _LABELS.get(option.name) or option.name.removesuffix("_s").replace("_", " ")
    default = _to_typed(option.default) if option.type is not bool else ""
    value = typed.get(option.name, "")
    kind = _find_kind(option)
    usual = ("yes" if option.default else "") if kind == "tick" else default
    return FormField(
        option.name,
        f"{label} ({_UNITS[plain]})" if plain == "_s" else label,
        option.help,
        to_flag(option.name) if option.name != "seeds" else "URL…",
        kind,
        value,
        get_args(option.type) if kind == "choice" else (),
        default,
        error,
        value not in ("", usual) or (kind == "tick" and value != usual),
    )


def _find_kind(option: Option) -> FieldKind:
    if option.type is bool:
        return "tick"
    if get_origin(option.type) is Literal:
        return "choice"
    if get_origin(option.type) is tuple:
        return "lines"
    return "number" if option.type in (int, float) else "text"


def _to_typed(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else ""
    if isinstance(value, list | tuple):
        return "\n".join(map(str, value))
    return str(value).removesuffix(".0") if isinstance(value, float) else str(value)


def _read_value(option: Option, typed: Typed) -> Any:
    """Return the value that was typed for an option; raise BadInput for a number that is none."""
    text = typed.get(option.name, "").strip()
    match _find_kind(option):
        case "tick":
            return bool(text)
        case "lines":
            return tuple(line.strip() for line in text.splitlines() if line.strip())
        case "number":
            return _read_number(option, text) if text else option.default
    return text or option.default


def _read_number(option: Option, text: str) -> int | float:
    plain = text.replace(",", "").replace("\u202f", "").replace(" ", "")
    try:
        return int(plain) if option.type is int else float(plain)
    except ValueError:
        kind = "a whole number" if option.type is int else "a number"
        raise BadInput(
            f"{text[:40]!r} is not {kind}: write digits, such as {option.default or 100}"
        ) from None


def _check_field(name: str, value: Any, typed: Typed, folder: Path) -> None:
    """Raise BadInput if an option cannot be used, whatever the others are."""
    given: dict[str, Any] = {"seeds": (_ANY_PAGE,), name: value}
    refuse_local(name, value)
    if name == "topic":
        check_topic(value, folder)
    elif name == "order":
        given["topic"] = typed.get("topic", "").strip()
    check_task(config.from_options(**given), folder)


def refuse_local(name: str, value: Any) -> None:
    """Raise BadInput for an option that reads files of this machine or takes a password: only its command line has these."""
    if name in COMMAND_LINE_ONLY and value:
        raise BadInput(
            f"{name} reads files or may hold a password: give it on the command line of this machine"
        )
    if name in ("seeds", "sitemaps") and any(str(url).lower().startswith("file:") for url in value):
        raise BadInput("files of this machine are crawled from its command line, not by a browser")
    if name == "topic" and value and ("\n" in value or is_path(value)):
        raise BadInput("examples in files of this machine are given on its command line, not by a browser")


def _shorten(sentence: str, name: str) -> str:
    """Return a sentence for the place beside a field, which is named there already."""
    short = sentence.removeprefix("task: ")
    for section in ("", *(f"{one}." for one in config.SECTIONS)):
        short = short.removeprefix(f"{section}{name} ").removeprefix(f"{name}: ")
    return short
