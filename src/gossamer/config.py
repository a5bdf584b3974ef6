"""The options of a task: strict, in sections, each field with its help text.

You can write a task as a Python object, as a TOML file or as command-line options. The help of a field is part of its
annotation; the reference page, `--help` and error messages are made from it and cannot differ.
Each part of the crawl receives its own section, never the whole.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, Literal, get_args, get_origin, get_type_hints

import msgspec
from msgspec import Meta

from gossamer.errors import BadInput, make_damage_error
from gossamer.field_rule import FieldRule
from gossamer.option_errors import FIELDS, explain_error, suggest

Scope = Literal["page", "directory", "host", "site", "any", "external"]
Focus = Literal["learn", "soft", "hard", "seed"]

DEFAULT_AGENT = "Gossamer"
AUTO = "auto"
"""How people write that the number of connections is found by itself."""


class Limits(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """When the crawl stops. 0 means no limit."""

    depth: Annotated[
        int, Meta(ge=-1, description="largest number of links from a start page; -1: no limit")
    ] = -1
    pages: Annotated[int, Meta(ge=0, description="largest number of pages to fetch; 0: no limit")] = 0
    body_bytes: Annotated[
        int, Meta(ge=0, description="largest number of bytes of page bodies to fetch; 0: no limit")
    ] = 0
    time_s: Annotated[float, Meta(ge=0, description="longest time to crawl, in seconds; 0: no limit")] = 0.0
    per_host: Annotated[
        int, Meta(ge=0, description="largest number of pages to fetch from one host; 0: no limit")
    ] = 0
    expires_s: Annotated[
        float, Meta(ge=0, description="do not run the task after this time (Unix seconds); 0: never expires")
    ] = 0.0


class Filters(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Which links are followed and which pages are kept. Patterns are regular expressions that match anywhere."""

    include: Annotated[
        tuple[str, ...], Meta(description="follow only URLs that match one of these patterns")
    ] = ()
    exclude: Annotated[
        tuple[str, ...], Meta(description="do not follow URLs that match one of these patterns")
    ] = ()
    include_hosts: Annotated[
        tuple[str, ...], Meta(description="follow only hosts that match one of these patterns")
    ] = ()
    exclude_hosts: Annotated[
        tuple[str, ...], Meta(description="do not follow hosts that match one of these patterns")
    ] = ()
    kinds: Annotated[
        tuple[str, ...], Meta(description="keep only content of these kinds, such as html, text or pdf")
    ] = ()
    language: Annotated[
        tuple[str, ...],
        Meta(description="keep and follow only pages whose text is in these languages, such as da,nb"),
    ] = ()
    content_seen: Annotated[
        bool, Meta(description="do not follow links on a page whose text was seen on another page")
    ] = False
    traps: Annotated[bool, Meta(description="detect endless URL spaces and leave them")] = True
    nofollow: Annotated[bool, Meta(description="obey rel=nofollow and robots directives in pages")] = True

    def __post_init__(self) -> None:
        """Normalise language codes: `da,nb-NO` becomes da and nb."""
        codes = [code for one in self.language for code in one.replace(",", " ").split()]
        plain = dict.fromkeys(code.replace("_", "-").partition("-")[0].lower() for code in codes)
        msgspec.structs.force_setattr(self, "language", tuple(plain))


class Politeness(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """How the crawl treats servers. Each protection is on until you turn it off by name."""

    delay_s: Annotated[
        float, Meta(ge=0, description="pause between two requests to one host, in seconds")
    ] = 1.0
    per_address: Annotated[
        bool, Meta(description="apply the pause to all hosts at one IP address together")
    ] = True
    at_once: Annotated[
        int,
        Meta(
            ge=1,
            le=64,
            description="requests under way at one host at a time, if no pause is due between them",
        ),
    ] = 1
    adaptive: Annotated[
        float, Meta(ge=0, description="pause at least this many times as long as the last response took")
    ] = 1.0
    bandwidth: Annotated[
        tuple[str, ...],
        Meta(
            description="largest rate at which bytes arrive for the task, by hours if you like: 2MB/s, or 8MB/s and "
            "'mon-fri 08:00-18:00 Europe/Berlin 1MB/s'"
        ),
    ] = ()
    host_bandwidth: Annotated[
        tuple[str, ...],
        Meta(description="the same for each host: 200kB/s; or for one: 'www.example.org 50kB/s'"),
    ] = ()
    quiet_hours: Annotated[
        tuple[str, ...],
        Meta(
            description="hours in which nothing is fetched: 08:00-18:00, 'mon-fri 22:00-06:00 Europe/Berlin', or "
            "'www.example.org 12:00-13:00' for one host"
        ),
    ] = ()
    max_delay_s: Annotated[
        float, Meta(gt=0, description="longest crawl-delay of robots.txt to obey, in seconds")
    ] = 60.0
    robots: Annotated[bool, Meta(description="obey robots.txt")] = True
    robots_age_s: Annotated[
        float, Meta(gt=0, description="fetch robots.txt again after this time, in seconds")
    ] = 86_400.0
    back_off_s: Annotated[
        float,
        Meta(gt=0, description="pause after the first failure, in seconds; doubles with each further one"),
    ] = 5.0
    tries: Annotated[int, Meta(ge=1, description="number of attempts for a page that fails")] = 3
    user_agent: Annotated[
        str, Meta(min_length=1, description="name sent to servers and matched in robots.txt")
    ] = DEFAULT_AGENT
    contact: Annotated[
        str,
        Meta(
            description="URL or e-mail address sent with the name, so that webmasters can reach you; an e-mail address "
            "is also sent as From"
        ),
    ] = ""


class Fetching(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """How one page is fetched."""

    page_bytes: Annotated[
        int, Meta(gt=0, description="largest body of a page, in bytes; the rest is cut off")
    ] = 10_000_000
    page_links: Annotated[
        int, Meta(gt=0, description="largest number of links read from one page; the rest is left out")
    ] = 20_000
    page_time_s: Annotated[float, Meta(gt=0, description="longest time for one page, in seconds")] = 60.0
    connect_time_s: Annotated[float, Meta(gt=0, description="longest time to connect, in seconds")] = 10.0
    first_byte_time_s: Annotated[
        float, Meta(gt=0, description="longest time until a response begins, in seconds")
    ] = 30.0
    head_bytes: Annotated[int, Meta(gt=0, description="largest response headers, in bytes")] = 65_536
    expansion: Annotated[
        float, Meta(gt=1, description="largest ratio of unpacked to compressed size of a body")
    ] = 100.0
    connections: Annotated[
        int,
        Meta(
            ge=0,
            description="pages fetched at the same time, from all hosts together; 0 or auto: found by itself from what "
            "this machine and the servers give",
        ),
    ] = 0
    most_connections: Annotated[
        int, Meta(ge=1, description="largest number of connections that is found by itself")
    ] = 256
    proxy: Annotated[
        str,
        Meta(
            description="proxy for all requests: http://… or socks5h://…; its password is not stored in the web"
        ),
    ] = ""
    auth: Annotated[
        str,
        Meta(
            description="basic authentication: user:password, @FILE, or a user whose password is asked for; sent only "
            "to the origins (scheme, host, port) of the start pages, and not stored in the web"
        ),
    ] = ""
    cookies: Annotated[bool, Meta(description="keep and send cookies, in memory only")] = False
    head_only: Annotated[bool, Meta(description="fetch only the headers of the start pages")] = False
    max_age_s: Annotated[
        float,
        Meta(ge=0, description="do not fetch a page again if its copy is younger than this, in seconds"),
    ] = 0.0
    conditional: Annotated[
        bool,
        Meta(
            description="ask for a page that the web has only if it has changed since, by ETag or Last-Modified; the "
            "copy of one that has not is read instead"
        ),
    ] = False
    allow_private: Annotated[
        tuple[str, ...], Meta(description="private networks that may be crawled: 127.0.0.0/8, ::1")
    ] = ()
    allow_files: Annotated[
        tuple[str, ...],
        Meta(
            description="folders whose files may be crawled, by start pages file:///… and links between such files"
        ),
    ] = ()
    schemes: Annotated[
        tuple[str, ...],
        Meta(
            description="schemes besides http and https whose links are followed: ftp, or those of plug-ins"
        ),
    ] = ()
    hosts_file: Annotated[str, Meta(description="file in the format of /etc/hosts, used before DNS")] = ""


class Keeping(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What is stored of a page."""

    bodies: Annotated[bool, Meta(description="store requests and responses in the archive")] = True
    links: Annotated[bool, Meta(description="store the links of pages with their texts")] = True
    texts: Annotated[
        bool,
        Meta(
            description="read the texts of pages and links: language, word count, near copies; without it, pages are "
            "read for their links alone, unless another option needs their texts"
        ),
    ] = True
    requisites: Annotated[
        bool,
        Meta(
            description="also fetch and store what kept pages need to be shown: images, styles, scripts, fonts and "
            "frames, from any host; they do not count as pages"
        ),
    ] = False


class Rendering(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Which pages are shown in a browser, so that what their scripts make is read, too."""

    render: Annotated[
        Literal["never", "auto", "always"],
        Meta(
            description="show pages in a browser before they are read: never, always, or auto: those that need it, by "
            "their bytes and by what it gained on pages like them"
        ),
    ] = "never"
    render_share: Annotated[
        float, Meta(ge=0, le=1, description="largest share of pages that auto shows in a browser")
    ] = 0.2
    render_time_s: Annotated[
        float, Meta(gt=0, le=300, description="longest time until a page in a browser is quiet, in seconds")
    ] = 20.0
    render_robots: Annotated[
        bool,
        Meta(
            description="obey robots.txt also for the scripts, styles, images and data that a page in a browser loads; "
            "for documents in frames it is obeyed anyway"
        ),
    ] = False
    browser: Annotated[str, Meta(description="program of Chromium or Chrome; found by itself if empty")] = ""
    screenshots: Annotated[
        bool,
        Meta(description="keep pictures of the pages that are shown in a browser: small and in full length"),
    ] = False


class Plugins(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Functions of installed packages, by the names of their entry points; `order` can name one, too."""

    page_classifiers: Annotated[tuple[str, ...], Meta(description="plug-ins that mark pages, by name")] = ()
    link_classifiers: Annotated[tuple[str, ...], Meta(description="plug-ins that mark links, by name")] = ()
    page_filters: Annotated[
        tuple[str, ...],
        Meta(description="plug-ins that say whether the links of a page are followed, by name"),
    ] = ()
    link_filters: Annotated[
        tuple[str, ...], Meta(description="plug-ins that say whether a link is followed, by name")
    ] = ()
    listeners: Annotated[
        tuple[str, ...], Meta(description="plug-ins that receive each page that was kept, by name")
    ] = ()
    readers: Annotated[
        tuple[str, ...], Meta(description="plug-ins that read documents of further media types, by name")
    ] = ()


class TaskSpec(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A task as it is stored in a TOML file and in the web."""

    name: Annotated[
        str,
        Meta(
            pattern=r"^[\w.-]*$",
            description="name of the task; made from the first start page if empty",
        ),
    ] = ""
    seeds: Annotated[tuple[str, ...], Meta(description="start pages")] = ()
    seed_files: Annotated[tuple[str, ...], Meta(description="files with one start page per line")] = ()
    sitemaps: Annotated[
        tuple[str, ...], Meta(description="sitemaps and feeds whose pages are start pages")
    ] = ()
    scope: Annotated[Scope, Meta(description="how far from the start pages the crawl may go")] = "host"
    site_rule: Annotated[
        Literal["suffix", "name"],
        Meta(description="what counts as a site: by the public suffix list, or by the form of host names"),
    ] = "suffix"
    order: Annotated[
        str,
        Meta(
            description="order of fetching: breadth, depth, topic, authority, hub, rank, a combination such as "
            "topic+0.3*authority, or the name of a plug-in"
        ),
    ] = "breadth"
    topic: Annotated[
        str,
        Meta(
            description="topic of the pages to find: the name of a trained topic, a text, URLs of pages in the web, "
            "a file or folder of examples, query:WORDS, judged:SAMPLE or text:WORD"
        ),
    ] = ""
    notice: Annotated[
        tuple[str, ...],
        Meta(description="trained topics to look out for: their pages are marked and reported at once"),
    ] = ()
    focus: Annotated[
        Focus,
        Meta(
            description="how the topic guides the crawl: learn (learn where links lead), soft (by the page a link is on), "
            "hard (follow only links of relevant pages), seed (as in Schmitz 2001: r > 0.9, priority r/2)"
        ),
    ] = "learn"
    tunnel: Annotated[
        int,
        Meta(
            ge=-1,
            description="how many pages in a row may be off the topic on the way to others; -1: no limit",
        ),
    ] = 4
    weight: Annotated[float, Meta(gt=0, description="share of the crawl relative to other tasks")] = 1.0
    limits: Limits = Limits()
    filters: Filters = Filters()
    politeness: Politeness = Politeness()
    fetching: Fetching = Fetching()
    keeping: Keeping = Keeping()
    rendering: Rendering = Rendering()
    plugins: Plugins = Plugins()
    fields: Annotated[
        tuple[FieldRule, ...],
        Meta(description="values to take from pages, for `gossamer fields` and `gossamer export fields`"),
    ] = ()


SECTIONS: dict[str, type[msgspec.Struct]] = {
    "limits": Limits,
    "filters": Filters,
    "politeness": Politeness,
    "fetching": Fetching,
    "keeping": Keeping,
    "rendering": Rendering,
    "plugins": Plugins,
}


# Options of older versions: languages were once recognised only on request.
_WITHDRAWN = (("keeping", "recognise"),)


class Option(msgspec.Struct, frozen=True):
    """One option of a task, under its flat name."""

    name: str
    section: str
    """"" for the task itself."""
    type: Any
    default: Any
    help: str


def options() -> Iterator[Option]:
    """Yield all options of a task; their names are unique across sections."""
    structs: list[tuple[str, type[msgspec.Struct]]] = [("", TaskSpec), *SECTIONS.items()]
    for section, struct in structs:
        hints = get_type_hints(struct, include_extras=True)
        for field in msgspec.structs.fields(struct):
            if field.name in SECTIONS or field.name == FIELDS:
                continue
            annotated = hints[field.name]
            plain = get_args(annotated)[0] if get_origin(annotated) is Annotated else annotated
            help_text = (
                next((meta.description for meta in get_args(annotated)[1:] if isinstance(meta, Meta)), "")
                or ""
            )
            yield Option(field.name, section, plain, field.default, help_text)


def from_options(**given: Any) -> TaskSpec:
    """Make a task from flat keywords, as used in Python and on the command line."""
    known = {option.name: option.section for option in options()}
    nested: dict[str, Any] = {}
    for name, value in given.items():
        if name not in known:
            raise BadInput(f"a task has no {name!r}{suggest(name, known)}")
        target = nested.setdefault(known[name], {}) if known[name] else nested
        target[name] = list(value) if isinstance(value, list | tuple | set) else value
    return _convert(nested, "task")


def from_toml(path: Path) -> TaskSpec:
    """Read a task file; an error names the wrong key and the most similar valid one."""
    import tomllib  # late: most tasks come from the command line

    try:
        content = tomllib.loads(path.read_text("utf-8"))
    except OSError as error:
        raise BadInput(f"cannot read the task file {path}: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise BadInput(f"{path} is not a task file: {error}") from None
    except RecursionError:
        raise BadInput(f"{path} is not a task file: its lists or sections are nested too deeply") from None
    return _convert(content, str(path))


def from_json(stored: bytes) -> TaskSpec:
    """Read a task as stored in a web; options that were withdrawn since are ignored."""
    try:
        content = msgspec.json.decode(stored, type=dict[str, Any])
        for section, name in _WITHDRAWN:
            content.get(section, {}).pop(name, None)
        return msgspec.convert(content, TaskSpec)
    except (msgspec.MsgspecError, UnicodeDecodeError, TypeError, AttributeError):
        raise make_damage_error("the options of a task") from None


def may_hold_password(stored: bytes) -> bool:
    """Say whether a task as stored in a web may hold a password, which older versions left there; it is not decoded."""
    return b'"auth":""' not in stored or b"@" in stored


def replace_options(spec: TaskSpec, **changes: Any) -> TaskSpec:
    """Return a copy of a task with some options replaced, given by their flat names."""
    nested: dict[str, Any] = msgspec.to_builtins(spec)
    known = {option.name: option.section for option in options()}
    for name, value in changes.items():
        if name not in known:
            raise BadInput(f"a task has no {name!r}{suggest(name, known)}")
        (nested[known[name]] if known[name] else nested)[name] = value
    return _convert(nested, "task")


def _convert(content: dict[str, Any], where: str) -> TaskSpec:
    fetching = content.get("fetching")
    if isinstance(fetching, dict) and fetching.get("connections") == AUTO:
        content = content | {"fetching": fetching | {"connections": 0}}
    try:
        return msgspec.convert(content, TaskSpec)
    except msgspec.ValidationError as error:
        known = list(options())
        places = {option.name: option.section for option in known}
        choices = {option.name: get_args(option.type) for option in known}
        raise BadInput(f"{where}: {explain_error(str(error), places, choices, tuple(SECTIONS))}") from None
