"""Choose the file name of a URL: legal on every file system, and with the extension of what it holds. Pure.

A path is made of the host, the folders of the URL and a file name. Everything that one of the usual file systems or a shell
refuses becomes `_`: separators, controls, the names of devices, leading and trailing dots. Different URLs may get the same
name here; `name_registry` keeps them apart.
Sources: Naming Files, Paths, and Namespaces (Microsoft Learn); POSIX.1-2017, section 3.282.
"""

import hashlib
import re
import unicodedata
from functools import lru_cache
from urllib.parse import unquote

import msgspec

MOST_NAME_BYTES = 80
"""Ext4, NTFS and APFS take 255 bytes or characters for each name."""
MOST_PATH_BYTES = 180
"""Windows takes 260 characters for a whole path, that of the folder included."""
LONG = "_long"
"""The folder of a host that holds files whose paths would be too long."""
_DEVICES = frozenset(
    ["con", "prn", "aux", "nul", "conin$", "conout$"]
    + [f"{port}{number}" for port in ("com", "lpt") for number in "0123456789¹²³"]
)
_KEPT = frozenset("-_.+,=@")
# By kind: the extension that browsers and web servers know, and others that mean the same.
_EXTENSIONS: dict[str, str] = {
    "html": "html htm xhtml xht shtml",
    "style": "css",
    "script": "js mjs cjs",
    "json": "json map webmanifest",
    "xml": "xml xsl xslt xsd rdf",
    "sitemap": "xml",
    "feed": "xml rss atom",
    "pdf": "pdf",
    "text": "txt text md rst csv tsv log ini conf tex bib ics vcf srt vtt c h cc cpp java py pl rb go rs sh diff patch",
    "postscript": "ps eps",
}
_KNOWN = {kind: frozenset(names.split()) for kind, names in _EXTENSIONS.items()}
_OF_MEDIA_TYPE = {
    "image/png": "png",
    "image/jpeg": "jpg",
    "image/gif": "gif",
    "image/svg+xml": "svg",
    "image/webp": "webp",
    "image/avif": "avif",
    "image/bmp": "bmp",
    "image/x-icon": "ico",
    "image/vnd.microsoft.icon": "ico",
    "font/woff": "woff",
    "font/woff2": "woff2",
    "font/ttf": "ttf",
    "font/otf": "otf",
    "audio/mpeg": "mp3",
    "audio/ogg": "ogg",
    "video/mp4": "mp4",
    "video/webm": "webm",
    "application/zip": "zip",
    "application/gzip": "gz",
}
_ANY_EXTENSION = re.compile(r"\.([A-Za-z0-9]{1,10})\Z")
# Most names are good as they are, unless they are those of devices.
_PLAIN_NAME = re.compile(r"[A-Za-z0-9_+=@-][A-Za-z0-9_+=@.-]*[A-Za-z0-9_+=@-]").fullmatch


class PlannedName(msgspec.Struct, frozen=True, gc=False):
    """The parts of a path, each with what it stands for: two parts with one meaning are the same folder or file."""

    parts: tuple[str, ...]
    meanings: tuple[str, ...]


def needs_media_type(url: str, kind: str) -> bool:
    """Say whether the extension of a file depends on its media type: images and fonts with a URL that names none."""
    return kind not in _KNOWN and _ANY_EXTENSION.search(_split(url)[1][-1]) is None


def plan_name(url: str, kind: str, media_type: str = "") -> PlannedName:
    """Return the path that a canonical URL would like to have."""
    origin, steps, query = _split(url)
    name = _name_file(steps[-1], query, kind, media_type)
    folders = [clean_name(step) for step in steps[:-1]]
    host = clean_name(origin.partition("//")[2].replace("[", "").replace("]", "").replace(":", "+"))
    parts = (host, *folders, name)
    if sum(len(part.encode()) + 1 for part in parts[:-1]) + MOST_NAME_BYTES > MOST_PATH_BYTES:
        extension = _ANY_EXTENSION.search(name)
        short = _digest(url, 8) + (extension[0] if extension else "")
        return PlannedName((host, LONG, short), (origin, f"{origin}//{LONG}", url))
    return PlannedName(parts, (*_list_meanings(origin, steps), url))


@lru_cache(maxsize=1_000)  # files share their folders
def clean_name(raw: str) -> str:
    """Return a part of a URL as a name that every file system takes.

    >>> clean_name("a%2F..%2Fcon"), clean_name("CON.txt"), clean_name("%C3%BCber uns."), clean_name("..")
    ('a_.._con', '_CON.txt', 'über_uns_', '__')
    """
    name = raw
    if _PLAIN_NAME(raw) is None:
        text = unicodedata.normalize("NFC", unquote(raw, errors="replace"))
        name = "".join([char if char.isalnum() or char in _KEPT else "_" for char in text]) or "_"
        if name[0] == ".":
            name = "_" + name[1:]
        if name[-1] == ".":
            name = name[:-1] + "_"
    if name.partition(".")[0].lower() in _DEVICES:
        name = "_" + name
    return shorten_name(name, raw)


def shorten_name(name: str, meaning: str, most_bytes: int = MOST_NAME_BYTES) -> str:
    """Return a name that is not too long: its beginning with a digest of its meaning, before its extension."""
    if len(name.encode()) <= most_bytes:
        return name
    return add_digest(name, meaning, most_bytes)


def add_digest(name: str, meaning: str, most_bytes: int = MOST_NAME_BYTES) -> str:
    """Return a name with a digest of what it stands for, before its extension."""
    found = _ANY_EXTENSION.search(name)
    stem, extension = (name[: found.start()], found[0]) if found else (name, "")
    end = f"~{_digest(meaning, 4)}{extension}"
    return stem.encode()[: most_bytes - len(end)].decode("utf-8", "ignore") + end


def fold_name(path: str) -> str:
    """Return the form that file systems without case and with other Unicode forms take for the same path."""
    return path.lower() if path.isascii() else unicodedata.normalize("NFKC", path.casefold())


def _name_file(step: str, query: str | None, kind: str, media_type: str) -> str:
    """Return the name of a file from the last step of its URL, its query and its kind."""
    name = clean_name(step) if step else "index"
    found = _ANY_EXTENSION.search(name)
    own = found[1].lower() if found else ""
    if kind in _KNOWN:
        wanted = own if own in _KNOWN[kind] else _EXTENSIONS[kind].split()[0]
    else:
        wanted = own or _OF_MEDIA_TYPE.get(media_type.partition(";")[0].strip().lower(), "")
    stem = name[: found.start()] if found and wanted == own else name
    if query is not None:
        stem = f"{stem}@{_digest(query, 4)}"
    extension = found[0] if found and wanted == own else f".{wanted}" if wanted else ""
    return shorten_name(stem + extension, f"{step}?{query}")


def _split(url: str) -> tuple[str, list[str], str | None]:
    """Return the origin of a canonical URL, the steps of its path, and its query; None if it has none."""
    start = url.index("/", 8)
    path, mark, query = url[start:].partition("?")
    return url[:start], path[1:].split("/"), query if mark else None


def _list_meanings(origin: str, steps: list[str]) -> list[str]:
    """Return the origin, and the URL of each folder on the way to a file; its slash tells it from a file of this name."""
    folder, meanings = origin, [origin]
    for step in steps[:-1]:
        folder = f"{folder}/{step}"
        meanings.append(f"{folder}/")
    return meanings


def _digest(text: str, size_bytes: int) -> str:
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=size_bytes).hexdigest()
