"""Where examples of a topic come from: pages of a web, files, a text, a query, judgements, general words."""

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import msgspec

from gossamer.errors import BadInput, MissingExtra

if TYPE_CHECKING:  # imported by the verbs when they run: help has to answer at once
    from gossamer.crawl.archive.topic_examples import Examples
    from gossamer.store.batch import Store
    from gossamer.text.topics.example import Example

# Pages that stand for all the rest of the web where nobody says what is against a topic, and texts of general words.
_MOST_OTHERS = 500
_GENERAL_TEXTS = 100
_FEW_OTHERS = 20
# Short ones too: otherwise what is short would look like a short example.
_GENERAL_SENTENCES = (1, 1, 2, 5, 15, 40)
_AS_MANY = 0.5
# What search finds beyond these is seldom what was meant.
_BEST_FOUND = 50
_MOST_FOUND = 100_000


class Collected(Protocol):
    """What is needed of a web (`gossamer.web.Web`)."""

    folder: Path

    @property
    def store(self) -> "Store":
        """Its pages."""
        ...

    def pages_found(self, query: str, most: int) -> list[int]:
        """Return the pages that a search finds, the best first."""
        ...


class Wanted(msgspec.Struct, frozen=True):
    """What somebody named as a topic."""

    examples: Sequence[str] = ()
    """URLs of pages in the web, files of them or of text, and folders."""
    against: Sequence[str] = ()
    text: str = ""
    query: str = ""
    judged: str = ""
    """A sample of `gossamer assess`."""


class Sides(msgspec.Struct):
    """Pages that are about a topic, and pages that are not."""

    about: "list[Example]" = []
    against: "list[Example]" = []
    prior: float | None = None
    """None if the shares of both mean something; else what to go by."""
    note: str = ""
    """What stands against the topic, if nobody said."""


def check_told(wanted: Wanted) -> None:
    """Refuse to learn from nothing."""
    if not (wanted.examples or wanted.text.strip() or wanted.query or wanted.judged):
        raise BadInput("say what the topic is: --examples PAGES, --text, --query, or --judged SAMPLE")


def gathered(web: Collected, wanted: Wanted) -> Sides:
    """Return the examples of a topic, and what is against it: named, or drawn from what there is."""
    from gossamer.crawl.archive.topic_examples import Examples
    from gossamer.text.topics.example import Example

    pages = Examples(web.store, web.folder / "archive")
    sides = Sides()
    for one in wanted.examples:
        sides.about += _named(pages, one)
    for one in wanted.against:
        sides.against += _named(pages, one)
    if wanted.text.strip():
        sides.about.append(Example(wanted.text))
    found = _found(web, wanted.query) if wanted.query else []
    sides.about += pages.numbered(found[:_BEST_FOUND])
    if wanted.judged:
        _take_judged(web, pages, wanted.judged, sides)
    if not sides.against:
        _draw_against(pages, found, sides)
    return sides


def file_examples(path: Path) -> "Iterator[Example]":
    """Return the texts of a file, or of all files of a folder."""
    paths = sorted(one for one in path.rglob("*") if one.is_file()) if path.is_dir() else [path]
    for one in paths:
        yield from body_examples(_content(one), one.name)


def body_examples(body: bytes, name: str) -> "Iterator[Example]":
    """Return the text of a file, if it is one: HTML as a page, other texts as they are."""
    from gossamer.crawl.archive.topic_examples import example_of
    from gossamer.net import html, media_type
    from gossamer.net.encoding import decode
    from gossamer.text.topics.example import Example

    kind = media_type.detect_kind(None, body, name)
    if kind == "html":
        yield example_of(html.read(body, ""))
    elif kind == "text" and body.strip():
        yield Example(decode(body)[0])


def _content(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise BadInput(f"{path} cannot be read: {error.strerror}") from None


def page_called(pages: "Examples", url: str) -> "Example":
    """Return the page of a web with this URL; bad input if there is none with a text."""
    found = pages.called(url)
    if found is None:
        raise BadInput(f"the web has no text of {url}: crawl it first, or name a file")
    return found


def _named(pages: "Examples", name: str) -> "list[Example]":
    if "://" in name:
        return [page_called(pages, name)]
    path = Path(name)
    if not path.exists():
        raise BadInput(
            f"there is no file or folder {name}; write pages of the web as whole URLs, with http://"
        )
    listed = _listed(path)
    found = list(filter(None, map(pages.called, listed))) if listed else list(file_examples(path))
    if not found:
        where = "the web has none of the pages" if listed else "there are no texts"
        raise BadInput(f"{where} in {name}: name files of text, of HTML or of URLs, or a folder with some")
    return found


def _listed(path: Path) -> list[str]:
    """Return the URLs that a file lists, one a line; none if it is something else."""
    if path.is_dir():
        return []
    body = _content(path)
    lines = body.split()
    if not lines or not all(line.startswith((b"http://", b"https://")) for line in lines):
        return []
    return [line.decode("utf-8", "replace") for line in lines]


def _found(web: Collected, query: str) -> list[int]:
    found = web.pages_found(query, _MOST_FOUND)
    if not found:
        raise BadInput(
            f"nothing in the web is found by {query!r}: ask for other words, or index the web anew"
        )
    return found


def _take_judged(web: Collected, pages: "Examples", sample: str, sides: Sides) -> None:
    from gossamer.assess.judgements import judged_pages

    judged = judged_pages(web.store, sample)
    relevant, others = ([page for page, said in judged if said == verdict] for verdict in ("relevant", "not"))
    if not relevant:
        raise BadInput(
            f"nobody has judged a page of the sample {sample!r} relevant: go on with  gossamer assess"
        )
    sides.about += pages.numbered(relevant)
    sides.against += pages.numbered(others)


def _draw_against(pages: "Examples", found: list[int], sides: Sides) -> None:
    """Let pages of other sites and general words stand against a topic that nobody named anything against."""
    if not sides.about:
        return
    from gossamer.net.url import page_id

    about = [*found, *(page_id(one.url) for one in sides.about if one.url)]
    # What a query finds is on any site: what it does not find is the contrast.
    than = () if found else sides.about
    others = pages.others(than, about, _MOST_OTHERS)
    if found and not others:
        raise BadInput("the query finds every page of the web: ask for words that only some pages have")
    try:
        general = _general_texts(sides.about)
    except MissingExtra:
        if not others:
            raise
        general = []
    sides.against = [*others, *general]
    sides.prior = _AS_MANY
    sides.note = (
        f"{len(others):,} other pages of the web and {len(general):,} texts of general words stand against it"
    )
    if len(others) < _FEW_OTHERS:
        sides.note += "; real pages, named with --against, would teach more"


def _general_texts(about: "Sequence[Example]") -> "list[Example]":
    """Write texts of general words in the language of most examples, by the lab's lists."""
    from gossamer.lab.writing.phrases import LANGUAGES
    from gossamer.lab.writing.sentences import halves
    from gossamer.text.language import detect
    from gossamer.text.topics.example import Example

    spoken = Counter(detect(one.text).language for one in about)
    language = next((code for code, _ in spoken.most_common() if code in LANGUAGES), "en")
    parts = halves(language)
    dice = random.Random(1)
    return [
        Example(
            " ".join(
                dice.choice(parts.first) + dice.choice(parts.second)
                for _ in range(dice.choice(_GENERAL_SENTENCES))
            )
        )
        for _ in range(_GENERAL_TEXTS)
    ]
