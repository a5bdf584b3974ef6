"""Task: what a crawl is asked to do. Strict, nested, each field with its help.

A task is one thing in three dresses: a Python object, a TOML file, a set of command-line options. The help of a
field stands in its annotation; reference page, `--help` and error messages are made from it and cannot differ.
Each part of the crawl receives its own section, never the whole.
"""

import difflib
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, Literal, get_args, get_origin, get_type_hints

import msgspec
from msgspec import Meta

from gossamer.errors import BadInput

Scope = Literal["page", "directory", "host", "site", "any", "external"]
Focus = Literal["learn", "soft", "hard", "seed"]

DEFAULT_AGENT = "Gossamer"


class Limits(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """When enough is enough. 0 means no limit."""

    depth: Annotated[
        int, Meta(ge=-1, description="links away from a start page at most; -1: any number")
    ] = -1
    pages: Annotated[int, Meta(ge=0, description="pages to fetch at most; 0: any number")] = 0
    body_bytes: Annotated[int, Meta(ge=0, description="bytes of bodies to fetch at most; 0: any number")] = 0
    time_s: Annotated[float, Meta(ge=0, description="seconds to crawl at most; 0: any number")] = 0.0
    per_host: Annotated[int, Meta(ge=0, description="pages to fetch of one host at most; 0: any number")] = 0
    expires_s: Annotated[
        float, Meta(ge=0, description="the task is void after this time (Unix seconds); 0: never")
    ] = 0.0


class Filters(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Which links are followed, and which pages are kept. Patterns are regular expressions, found anywhere."""

    include: Annotated[
        tuple[str, ...], Meta(description="follow only URLs in which one of these is found")
    ] = ()
    exclude: Annotated[tuple[str, ...], Meta(description="follow no URL in which one of these is found")] = ()
    include_hosts: Annotated[
        tuple[str, ...], Meta(description="follow only hosts in which one of these is found")
    ] = ()
    exclude_hosts: Annotated[
        tuple[str, ...], Meta(description="follow no host in which one of these is found")
    ] = ()
    kinds: Annotated[
        tuple[str, ...], Meta(description="keep only content of these kinds, as net/mime names them")
    ] = ()
    language: Annotated[
        tuple[str, ...],
        Meta(description="keep and follow only pages in these languages, such as da,nb, by their text"),
    ] = ()
    content_seen: Annotated[
        bool, Meta(description="do not follow links of a page whose text was seen elsewhere")
    ] = False
    traps: Annotated[bool, Meta(description="look out for endless URL spaces")] = True
    nofollow: Annotated[bool, Meta(description="obey rel=nofollow and robots directives of pages")] = True

    def __post_init__(self) -> None:
        """Take languages as people write them, `da,nb-NO`, for what they are: da and nb."""
        codes = [code for one in self.language for code in one.replace(",", " ").split()]
        plain = dict.fromkeys(code.replace("_", "-").partition("-")[0].lower() for code in codes)
        msgspec.structs.force_setattr(self, "language", tuple(plain))


class Politeness(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """How servers are treated. Everything here must be turned off by name."""

    delay_s: Annotated[float, Meta(ge=0, description="pause between two requests to one host")] = 1.0
    per_address: Annotated[bool, Meta(description="hosts at one IP address share its pauses")] = True
    adaptive: Annotated[
        float, Meta(ge=0, description="pause at least this many times the last answer's duration")
    ] = 1.0
    max_delay_s: Annotated[float, Meta(gt=0, description="longest crawl-delay that is waited for")] = 60.0
    robots: Annotated[bool, Meta(description="obey robots.txt")] = True
    robots_age_s: Annotated[float, Meta(gt=0, description="ask for robots.txt again after this time")] = (
        86_400.0
    )
    back_off_s: Annotated[
        float, Meta(gt=0, description="first pause after a failure; each further one is twice as long")
    ] = 5.0
    tries: Annotated[int, Meta(ge=1, description="how often a failing page is tried")] = 3
    user_agent: Annotated[
        str, Meta(min_length=1, description="name that is sent, and matched in robots.txt")
    ] = DEFAULT_AGENT
    contact: Annotated[
        str, Meta(description="URL or e-mail address sent with the name, for people who wonder")
    ] = ""


class Fetching(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """How one page is fetched."""

    page_bytes: Annotated[int, Meta(gt=0, description="bytes of one body at most; the rest is cut off")] = (
        10_000_000
    )
    page_time_s: Annotated[float, Meta(gt=0, description="seconds that one page may take")] = 60.0
    connect_time_s: Annotated[float, Meta(gt=0, description="seconds for a connection")] = 10.0
    first_byte_time_s: Annotated[float, Meta(gt=0, description="seconds until an answer begins")] = 30.0
    head_bytes: Annotated[int, Meta(gt=0, description="bytes of response headers at most")] = 65_536
    expansion: Annotated[
        float, Meta(gt=1, description="how many times its size a compressed body may unpack to")
    ] = 100.0
    connections: Annotated[int, Meta(ge=1, description="pages fetched at the same time, over all hosts")] = 64
    proxy: Annotated[str, Meta(description="proxy for all requests: http://… or socks5h://…")] = ""
    auth: Annotated[
        str, Meta(description="basic authentication, user:password, sent to the start pages' hosts only")
    ] = ""
    cookies: Annotated[bool, Meta(description="keep and send cookies")] = False
    head_only: Annotated[bool, Meta(description="ask for the headers of the start pages only")] = False
    max_age_s: Annotated[
        float, Meta(ge=0, description="a page in the web younger than this is not fetched again")
    ] = 0.0
    allow_private: Annotated[
        tuple[str, ...], Meta(description="private networks that may be visited: 127.0.0.0/8, ::1")
    ] = ()
    hosts_file: Annotated[str, Meta(description="file of address and names, asked before DNS")] = ""


class Keeping(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What is kept of a page."""

    bodies: Annotated[bool, Meta(description="write requests and responses into the archive")] = True
    links: Annotated[bool, Meta(description="keep the links of pages, with their texts")] = True


class TaskSpec(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A task as it is written down: in a TOML file, and in the web."""

    name: Annotated[
        str,
        Meta(
            pattern=r"^[\w.-]*$",
            description="by which the task is called; made from the first start page if empty",
        ),
    ] = ""
    seeds: Annotated[tuple[str, ...], Meta(description="start pages")] = ()
    seed_files: Annotated[tuple[str, ...], Meta(description="files with one start page a line")] = ()
    sitemaps: Annotated[
        tuple[str, ...], Meta(description="sitemaps and feeds whose pages are start pages")
    ] = ()
    scope: Annotated[Scope, Meta(description="how far from its start page the crawl may go")] = "host"
    site_rule: Annotated[
        Literal["suffix", "name"],
        Meta(description="what a site is: by public suffix list, or by the shape of host names"),
    ] = "suffix"
    order: Annotated[
        str,
        Meta(
            description="what is fetched first: breadth, depth, topic, authority, hub, rank, or a mixture such as "
            "topic+0.3*authority"
        ),
    ] = "breadth"
    topic: Annotated[
        str,
        Meta(
            description="what pages should be about: the name of a trained topic, a text, pages of the web by their URLs, "
            "a file or folder of examples, query:WORDS, judged:SAMPLE or text:WORD"
        ),
    ] = ""
    focus: Annotated[
        Focus,
        Meta(
            description="how a topic steers: learn what links lead to, soft (by the page they stand on), "
            "hard (follow only links of relevant pages), seed (as seed 002 does: r > 0.9, priority r/2)"
        ),
    ] = "learn"
    tunnel: Annotated[
        int,
        Meta(
            ge=-1, description="pages in a row that may be off the topic on the way to others; -1: any number"
        ),
    ] = 4
    weight: Annotated[float, Meta(gt=0, description="share of the crawl, against other tasks")] = 1.0
    limits: Limits = Limits()
    filters: Filters = Filters()
    politeness: Politeness = Politeness()
    fetching: Fetching = Fetching()
    keeping: Keeping = Keeping()


SECTIONS: dict[str, type[msgspec.Struct]] = {
    "limits": Limits,
    "filters": Filters,
    "politeness": Politeness,
    "fetching": Fetching,
    "keeping": Keeping,
}


# Languages were once recognised only when a task asked for it.
_WITHDRAWN = (("keeping", "recognise"),)


class Option(msgspec.Struct, frozen=True):
    """One thing that a task can be told, under its flat name."""

    name: str
    section: str
    """"" for the task itself."""
    type: Any
    default: Any
    help: str


def options() -> Iterator[Option]:
    """List everything that a task can be told; names are unique over all sections."""
    structs: list[tuple[str, type[msgspec.Struct]]] = [("", TaskSpec), *SECTIONS.items()]
    for section, struct in structs:
        hints = get_type_hints(struct, include_extras=True)
        for field in msgspec.structs.fields(struct):
            if field.name in SECTIONS:
                continue
            annotated = hints[field.name]
            plain = get_args(annotated)[0] if get_origin(annotated) is Annotated else annotated
            said = (
                next((meta.description for meta in get_args(annotated)[1:] if isinstance(meta, Meta)), "")
                or ""
            )
            yield Option(field.name, section, plain, field.default, said)


def from_options(**told: Any) -> TaskSpec:
    """Make a task from flat keywords, as Python and the command line give them."""
    known = {option.name: option.section for option in options()}
    nested: dict[str, Any] = {}
    for name, value in told.items():
        if name not in known:
            raise BadInput(f"a task has no {name!r}{_nearest(name, known)}")
        target = nested.setdefault(known[name], {}) if known[name] else nested
        target[name] = list(value) if isinstance(value, list | tuple | set) else value
    return _converted(nested, "task")


def from_toml(path: Path) -> TaskSpec:
    """Read a task file; what is wrong in it is named, with its nearest neighbour."""
    import tomllib  # late: most tasks come from the command line

    try:
        told = tomllib.loads(path.read_text("utf-8"))
    except OSError as error:
        raise BadInput(f"cannot read the task file {path}: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise BadInput(f"{path} is not a task file: {error}") from None
    return _converted(told, str(path))


def from_json(kept: bytes) -> TaskSpec:
    """Read a task as a web keeps it; what older versions could be told and tasks do not know any more is passed over."""
    told = msgspec.json.decode(kept)
    for section, name in _WITHDRAWN:
        told.get(section, {}).pop(name, None)
    return msgspec.convert(told, TaskSpec)


def changed(spec: TaskSpec, **told: Any) -> TaskSpec:
    """Return the task with some of its options told anew."""
    nested: dict[str, Any] = msgspec.to_builtins(spec)
    known = {option.name: option.section for option in options()}
    for name, value in told.items():
        if name not in known:
            raise BadInput(f"a task has no {name!r}{_nearest(name, known)}")
        (nested[known[name]] if known[name] else nested)[name] = value
    return _converted(nested, "task")


def _converted(told: dict[str, Any], where: str) -> TaskSpec:
    try:
        return msgspec.convert(told, TaskSpec)
    except msgspec.ValidationError as error:
        raise BadInput(f"{where}: {_explained(str(error))}") from None


_KINDS = {
    "int": "a whole number",
    "float": "a number",
    "str": "a text",
    "bool": "true or false",
    "array": "a list",
    "object": "a section of its own",
}
_BOUNDS = {">=": "at least", "<=": "at most", ">": "more than", "<": "less than"}


def _explained(message: str) -> str:
    """Say msgspec's complaint in the words of a task file."""
    complaint, _, path = message.partition(" - at `$.")
    name = path.rstrip("`")
    quoted = complaint.split("`")
    if "unknown field" in complaint:
        return _unknown(quoted[1], path.split(".")[0].rstrip("`") if path else "")
    if complaint.startswith("Invalid enum value"):
        known = next(option.type for option in options() if option.name == name.split(".")[-1])
        there_are = ", ".join(map(str, get_args(known)))
        return f"{name} cannot be {complaint.split()[-1]}: it is one of {there_are}"
    if complaint.startswith("Expected `"):
        kind = " or ".join(_KINDS.get(one, one) for one in quoted[1].split(" | ") if one != "null")
        bound = quoted[2].split(",")[0].split()
        return f"{name} has to be {kind}{f', {_BOUNDS[bound[0]]} {bound[1]}' if bound else ''}"
    return f"{complaint} ({name})" if name else complaint


def _unknown(wrong: str, section: str) -> str:
    """Say that a key is unknown, or stands in the wrong section."""
    places = {option.name: option.section for option in options()}
    if wrong in places:
        place = f"[{places[wrong]}]" if places[wrong] else "the task itself, before all sections"
        here = f"[{section}]" if section else "the task itself"
        return f"the key {wrong!r} belongs to {place}, not to {here}"
    return f"there is no key {wrong!r}{_nearest(wrong, [*places, *SECTIONS])}"


def _nearest(name: str, known: Any) -> str:
    near = difflib.get_close_matches(name, list(known), n=1, cutoff=0.6)
    return f"; did you mean {near[0]!r}?" if near else ""
