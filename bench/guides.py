"""Real pages in many languages: Debian's translated guides and handbooks, with checked labels.

The folder or the name of a page gives its language. Guides are translated piece by piece, so a label counts only if two
in five words of the page are not in its English edition; other pages are left out, and so are pages with little text. No
recogniser is used for this.
"""

import gzip
import re
from collections.abc import Iterator
from pathlib import Path

import msgspec

from gossamer.net.html import read

ROOT = Path("/usr/share")
PACKAGES = (
    *(
        "debian-faq" + ending
        for ending in ("", "-de", "-fr", "-it", "-ja", "-ko", "-nl", "-pt", "-ru", "-zh-cn")
    ),
    "debian-handbook",
    *(
        "debian-reference-" + name
        for name in ("de", "en", "es", "fr", "id", "it", "ja", "pt", "pt-br", "zh-cn", "zh-tw")
    ),
    *("developers-reference" + ending for ending in ("", "-de", "-fr", "-it", "-ja", "-ru")),
    "installation-guide-amd64",
    *(
        "maint-guide" + ending
        for ending in ("", "-ca", "-de", "-es", "-fr", "-it", "-ja", "-ru", "-vi", "-zh-cn", "-zh-tw")
    ),
)
# The pages of each guide, a pattern with the language as a group, and the value of that group in the English edition.
_GUIDES = [
    ("doc/debian-handbook/html/*/*.html", r"html/([\w-]+)/", "en-US"),
    ("doc/installation-guide-amd64/*/*.html", r"amd64/([\w-]+)/", "en"),
    ("doc/debian/FAQ/*/*.html", r"FAQ/([\w-]+)/", ""),
    ("doc/debian/FAQ/*.html", r"FAQ()/", ""),
    ("developers-reference/*/*.html", r"developers-reference/([\w-]+)/", ""),
    ("developers-reference/*.html", r"developers-reference()/", ""),
    ("doc/maint-guide*/html/*.html", r"maint-guide(-[\w-]+|)/html/", ""),
    ("debian-reference/*.html", r"\.([a-z]{2}(?:-[a-z]{2})?)\.html", "en"),
]
_LEAST_WORDS = 30
_LEAST_TRANSLATED = 0.4
_WORD = re.compile(r"[^\W\d_]+")
# Han and kana have no spaces: two characters count as a word.
_UNSPACED = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]")


class Guide(msgspec.Struct, frozen=True):
    """One page: which language it is in, and its text."""

    language: str
    path: str
    text: str


def read_guides(languages: set[str], root: Path = ROOT) -> list[Guide]:
    """Return all pages in the given languages, in the order of their paths."""
    found = {
        page.path: page
        for glob, label, english in _GUIDES
        for page in _read_guide(root, glob, label, english)
    }
    return [found[path] for path in sorted(found) if found[path].language in languages]


def _read_guide(root: Path, glob: str, label: str, english: str) -> Iterator[Guide]:
    for path in sorted([*root.glob(glob), *root.glob(glob + ".gz")]):
        place = path.relative_to(root).as_posix()
        match = re.search(label, place)
        if match is None:
            continue
        name = match[1].strip("-").replace("_", "-").lower().split("-")[0] or "en"
        text = _extract_text(path)
        if name != "en":
            first, end = match.span(1)
            source = root / (place[:first] + english + place[end:]).replace("//", "/")
            text = text if _is_translated(text, source) else ""
        if _count_words(text) >= _LEAST_WORDS:
            yield Guide(name, place, text)


def _extract_text(path: Path) -> str:
    if not path.is_file():
        return ""
    body = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    return read(body, "http://guides.example/", "text/html; charset=utf-8").text


def _is_translated(text: str, english: Path) -> bool:
    return is_translated_text(text, _extract_text(english))


def is_translated_text(text: str, english: str) -> bool:
    """Return whether enough words of a text are not in the English one; code and names are the same in both."""
    known = set(_WORD.findall(english.lower()))
    own = [word for word in _WORD.findall(text.lower()) if word not in known]
    return _count_words(" ".join(own)) >= _LEAST_TRANSLATED * max(1, _count_words(text))


def _count_words(text: str) -> int:
    """Count words; two characters of Han or kana are one."""
    unspaced = len(_UNSPACED.findall(text))
    return unspaced // 2 + len(_WORD.findall(_UNSPACED.sub(" ", text)))
