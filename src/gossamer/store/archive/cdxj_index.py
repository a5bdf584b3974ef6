"""Write CDXJ indexes of WARC files: a line for each response, sorted by SURT key and time, as pywb reads them."""

import os
import re
import time
from collections import deque
from collections.abc import Iterable, Iterator
from functools import lru_cache
from pathlib import Path
from urllib.parse import quote_from_bytes, unquote_to_bytes

import msgspec

from gossamer.atomic_file import write_atomically
from gossamer.store.archive import http_message
from gossamer.store.archive.warc_records import WarcReader, WarcRecord

_JSON = msgspec.json.Encoder()
_DIGITS = re.compile(r"\D+")
_PLAIN_PATH = re.compile(r"(?:/[a-z0-9_.~-]*[a-z0-9_~-])+\Z").match

# The canonical form of the Internet Archive's SURT keys, which Wayback Machines look up.
_BEHIND_LOCATION = re.compile(r"[/?#]")
_WWW = re.compile(r"www\d*\.")
_SAFE = "!\"$&'()*+,-./:;<=>?@[\\]^_`{|}~"
# Session ids in the path of ASP.NET, in both of their forms, and in queries. Each pattern is searched for once from left to
# right, without a `.*` around it: with one, a query of 2,000 percent signs took 2.6 s.
# Compiled by `re` when they are searched for.
_PATH_SESSIONS = (r"(?<=/)\((?:[a-z]\([0-9a-z]{24}\))++\)/", r"(?<=/)\([0-9a-z]{24}\)/")
_SCRIPT = ".aspx"
_QUERY_SESSIONS = tuple(
    rf"(?i){name}(?=&|\Z)"
    for name in (
        *("jsessionid=[0-9a-z]{32}", "phpsessid=[0-9a-z]{32}", "sid=[0-9a-z]{32}"),
        "aspsessionid[a-z]{8}=[a-z]{24}",
    )
)
_COLD_FUSION_TOKEN = re.compile(r"&cftoken=[^&]++", re.IGNORECASE)
_COLD_FUSION_ID = "cfid="
_UNPACKED_AT_MOST = 20


def surt(url: str) -> str:
    """Return the key of a URL: host reversed, path and query normalized (`org,example)/a?b`).

    Case, `www`, default ports, trailing slashes, session ids and the order of parameters do not matter, as in the
    Internet Archive's rules, so that Wayback Machines find their URLs. Cost: O(length).
    """
    scheme, _, rest = url.partition("://")
    location = _BEHIND_LOCATION.split(rest, 1)[0]
    path = rest[len(location) :].removeprefix("/").partition("#")[0]
    path, mark, query = path.partition("?")
    key = _reverse_host(scheme, location) + ")" + _normalize_path("/" + path)
    return f"{key}?{query}" if mark and (query := _normalize_query(query)) else key


@lru_cache(maxsize=4096)
def _reverse_host(scheme: str, location: str) -> str:
    name, _, port = location.lower().rpartition("@")[2].rpartition(":")
    if not port.isdigit():
        name, port = f"{name}:{port}" if name else port, ""
    name = name.removesuffix(":").strip("[]").replace("..", ".").strip(".")
    www = _WWW.match(name)
    reversed_name = ",".join(reversed(name[www.end() if www else 0 :].split(".")))
    default = {"http": "80", "https": "443"}.get(scheme.lower(), "")
    return reversed_name if port in ("", default) else f"{reversed_name}:{port}"


def _normalize_path(path: str) -> str:
    if _PLAIN_PATH(path) and "/." not in path:
        return path
    kept: list[str] = []
    for part in _normalize_escapes(path).split("/")[1:]:
        if part == ".." and kept:
            kept.pop()
        elif part != ".":
            kept.append(part)
    path = "/" + "/".join([part for part in kept[:-1] if part] + kept[-1:])
    path = path.lower()
    if _SCRIPT in path:
        for pattern in _PATH_SESSIONS:
            path = _remove_path_session(path, pattern)
    return path[:-1] if path.endswith("/") and len(path) > 1 else path


def _normalize_query(query: str) -> str:
    query = _normalize_escapes(query)
    for pattern in _QUERY_SESSIONS:
        for session in deque(re.finditer(pattern, query), maxlen=1):
            query = query[: session.start()] + query[session.end() + 1 :]
    query = _remove_cold_fusion_session(query)
    return "&".join(
        "=".join(pair) for pair in sorted(part.split("=", 1) for part in query.lower().split("&"))
    )


def _remove_path_session(path: str, pattern: str) -> str:
    """Remove the last session id that comes before a script; no question mark may be between them."""
    end = len(path)
    while end > 0:
        begin = path.rfind("?", 0, end) + 1
        script = path.rfind(_SCRIPT, begin, end)
        # At least one character stands between the session id and the suffix of the script.
        for session in deque(re.compile(pattern).finditer(path, begin, max(begin, script - 1)), maxlen=1):
            return path[: session.start()] + path[session.end() :]
        end = begin - 1
    return path


def _remove_cold_fusion_session(query: str) -> str:
    """Remove the last pair of parameters that ends with `cfid=…` and `cftoken=…`, and what is between them."""
    tokens = list(_COLD_FUSION_TOKEN.finditer(query))
    names = query.lower() if tokens else ""
    for token in reversed(tokens):
        # The id is the last one in the parameter before the token, and is not empty.
        begin = names.rfind("&", 0, token.start()) + 1
        at = names.rfind(_COLD_FUSION_ID, begin, max(begin, token.start() - 1))
        if at >= 0:
            return query[:at] + query[token.end() + 1 :]
    return query


def _normalize_escapes(text: str) -> str:
    """Undo all percent-encoding, then encode once what must be."""
    plain = text.encode("utf-8", "replace")
    for _ in range(_UNPACKED_AT_MOST):
        if b"%" not in plain or (again := unquote_to_bytes(plain)) == plain:
            break
        plain = again
    return quote_from_bytes(plain, safe=_SAFE)


class _CdxjFields(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """The fields of a line, in their order."""

    url: str
    mime: str = ""
    status: str = ""
    digest: str = ""
    length: str = ""
    offset: str = ""
    filename: str = ""


def format_line(
    url: str, date: str, mime: str, status: int, digest: str, offset: int, length: int, filename: str
) -> str:
    """Return one line of an index; `date` is the WARC-Date of the record."""
    about = _CdxjFields(url, mime, str(status), digest, str(length), str(offset), filename)
    return f"{surt(url)} {_date_digits(date)} {_JSON.encode(about).decode()}"


@lru_cache(maxsize=64)  # many visits share a second
def _date_digits(date: str) -> str:
    return _DIGITS.sub("", date)[:14]


def find_mime(headers: Iterable[tuple[str, str]]) -> str:
    """Return the content type of a response without parameters; "" if it has none."""
    value = next((value for name, value in headers if name == "content-type"), "")
    return value.partition(";")[0].strip().partition(" ")[0]


def index_warc(path: Path, upto: int | None = None) -> Iterator[str]:
    """Read a WARC file and yield its index lines in file order."""
    for record in WarcReader(path, upto=upto):
        if is_listed(record):
            yield format_record(record, path.name)


def is_listed(record: WarcRecord) -> bool:
    """Return whether an index has a line for a record; a rendered document has none, since replay runs its scripts."""
    return record.type in ("response", "revisit", "resource") and "warc-target-uri" in record.headers


def is_page(record: WarcRecord) -> bool:
    """Return whether a page can be at a record: a response, or what a browser made of one."""
    return is_listed(record) or (record.type == "conversion" and "warc-target-uri" in record.headers)


def format_record(record: WarcRecord, filename: str) -> str:
    """Return the line of a record in the index of a file."""
    fields = record.headers
    head, _ = http_message.split_message(record.block)
    mime = "warc/revisit" if record.type == "revisit" else find_mime(http_message.parse_headers(head))
    if record.type == "resource":
        head, mime = b"HTTP/1.1 200 OK", fields.get("content-type", "").partition(";")[0]
    return format_line(
        fields["warc-target-uri"].strip("<>"),
        fields.get("warc-date", ""),
        mime=mime,
        status=http_message.parse_status(head),
        digest=fields.get("warc-payload-digest", ""),
        offset=record.offset,
        length=record.length,
        filename=filename,
    )


def index_path(warc: Path) -> Path:
    """Return the path of a WARC file's index, which is beside it."""
    return warc.with_name(warc.name.removesuffix(".gz").removesuffix(".warc") + ".cdxj")


def write_index(warc: Path, unsorted: Iterable[str]) -> None:
    """Write the index of a WARC file atomically beside it, with the time of the file."""
    with write_atomically(index_path(warc)) as new:
        new.write_text("".join(f"{each}\n" for each in sorted(unsorted)), "utf-8")
    written_ns = warc.stat().st_mtime_ns
    os.utime(index_path(warc), ns=(written_ns, written_ns))


def is_fresh(warc: Path) -> bool:
    """Return whether the index exists and covers its file, by their times.

    Earlier versions left the index at the time of its writing. A clock that was set back since makes it look younger
    than records that were added later; an index from the future is therefore not believed.
    """
    index = index_path(warc)
    if not index.is_file():
        return False
    index_ns, warc_ns = index.stat().st_mtime_ns, warc.stat().st_mtime_ns
    return index_ns == warc_ns or warc_ns < index_ns <= time.time_ns()
