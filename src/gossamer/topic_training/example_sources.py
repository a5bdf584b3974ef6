"""Sources of examples of a topic: pages of a web, files, a text, a query, judgements, general words."""

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import msgspec

from gossamer.errors import BadInput, MissingExtra

if TYPE_CHECKING:  # imported late, so that --help answers at once
    from gossamer.crawl.from_archive.topic_examples import TopicExamples
    from gossamer.search.answers.answer_records import Answers
    from gossamer.search.clusters.cluster_records import GroupedAnswers
    from gossamer.store.batch import Store
    from gossamer.text.topics.training_example import Example

# Where no pages against a topic are named, these many other pages and texts of general words are the contrast.
_MAX_OTHERS = 500
_GENERAL_TEXTS = 100
_FEW_OTHERS = 20
# Some texts are short: otherwise any short text would resemble a short example.
_GENERAL_SENTENCES = (1, 1, 2, 5, 15, 40)
_EVEN_SHARE = 0.5
# Search results beyond these are seldom about the query.
_BEST_RESULTS = 50
_MAX_RESULTS = 100_000
_LONGEST_ID = 20
# A theme may have a hundred thousand pages; a model hardly changes after some hundred examples.
_MAX_LISTED = 500


class SearchableWeb(Protocol):
    """The part of a web (`gossamer.web.Web`) that is needed here."""

    folder: Path

    @property
    def store(self) -> "Store":
        """The store of its pages."""
        ...

    def pages_found(self, query: str, most: int) -> list[int]:
        """Return the page ids that a search finds, the best first."""
        ...

    def search_and_group(self, query: str) -> "tuple[Answers, GroupedAnswers]":
        """Return the best thousand answers to a query, and their groups."""
        ...


class TopicRequest(msgspec.Struct, frozen=True):
    """A topic to learn, as the user describes it."""

    examples: Sequence[str] = ()
    """URLs of pages in the web, files of URLs or of text, and folders."""
    against: Sequence[str] = ()
    text: str = ""
    query: str = ""
    judged: str = ""
    """The name of a sample of `gossamer assess`."""
    group: str = ""
    """The label of a group of the answers to `query`: only its pages are examples."""
    pages: str = ""
    """A file of page ids or URLs, one on each line: a hot story or any other list of pages of the web."""
    listed: Sequence[int] = ()
    """The ids of pages that were chosen already, as those of a theme."""


class TrainingExamples(msgspec.Struct):
    """Pages that are about a topic, and pages that are not."""

    about: "list[Example]" = []
    against: "list[Example]" = []
    prior: float | None = None
    """The share of the topic to assume; None if the shares of both sides are meaningful."""
    invented: int = 0
    """The number of the last pages against the topic that are texts of general words."""
    note: str = ""
    """A note about the contrast, if the user named no pages against the topic."""


def check_request(request: TopicRequest) -> None:
    """Refuse a request that has no source of examples."""
    if request.group and not request.query:
        raise BadInput("--group is a group of the answers to a query: give the query, too, with --query")
    words = (request.text.strip(), request.query, request.judged, request.pages)
    if not any((request.examples, *words, request.listed)):
        raise BadInput(
            "describe the topic with --examples PAGES, --text, --query, --theme, --pages FILE, or --judged SAMPLE"
        )


def gather_examples(web: SearchableWeb, request: TopicRequest) -> TrainingExamples:
    """Return the examples of a topic and the pages against it, named by the user or drawn from the web."""
    from gossamer.crawl.from_archive.topic_examples import TopicExamples
    from gossamer.text.topics.training_example import Example

    pages = TopicExamples(web.store, web.folder / "archive")
    sides = TrainingExamples()
    for one in request.examples:
        sides.about += _read_source(pages, one)
    for one in request.against:
        sides.against += _read_source(pages, one)
    if request.text.strip():
        sides.about.append(Example(request.text))
    found = _find_pages(web, request)
    is_list = request.group or request.pages or request.listed
    sides.about += pages.read_pages(found if is_list else found[:_BEST_RESULTS])
    if request.judged:
        _add_judged_pages(web, pages, request.judged, sides)
    if not sides.against:
        _add_contrast(pages, found, sides)
    return sides


def _find_pages(web: SearchableWeb, request: TopicRequest) -> list[int]:
    """Return the pages of a query, of a group of its answers, and of lists."""
    found = [] if not request.query or request.group else search_pages(web, request.query)
    if request.group:
        found += _find_group(web, request.query, request.group)
    if request.pages:
        found += _read_page_list(web, Path(request.pages))
    found += spread_evenly(request.listed, _MAX_LISTED)
    return list(dict.fromkeys(found))


def spread_evenly(ids: Sequence[int], most: int) -> Sequence[int]:
    """Return at most so many of these, from all parts of the list."""
    return ids[:: max(1, -(-len(ids) // most))]


def _find_group(web: SearchableWeb, query: str, label: str) -> list[int]:
    from gossamer.net.url import page_id

    answers, grouped = web.search_and_group(query)
    for group in grouped.groups:
        if group.label.casefold() == label.strip().casefold():
            ranks = set(group.ranks)
            return [page_id(one.url) for one in answers.answers if one.rank in ranks]
    labels = ", ".join(repr(group.label) for group in grouped.groups[:10]) or "none"
    raise BadInput(f"the answers to {query!r} have no group {label!r}, they have {labels}")


def _read_page_list(web: SearchableWeb, path: Path) -> list[int]:
    """Return the pages that a file lists by id or URL; BadInput if it is no such list, or the web has none of them."""
    from gossamer.net.url import page_id

    ids = []
    for number, line in enumerate(_read_bytes(path).decode("utf-8", "replace").split(), 1):
        if line.lstrip("-").isdecimal() and len(line) <= _LONGEST_ID:
            ids.append(int(line))
        elif line.startswith(("http://", "https://")):
            ids.append(page_id(line))
        else:
            raise BadInput(
                f"{path} is no list of pages: entry {number} must be a page id or a URL, not {line[:60]!r}"
            )
    there = web.store.pages_by_id(one for one in ids if -(2**63) <= one < 2**63)
    if not there:
        raise BadInput(f"the web has none of the pages that {path} lists")
    return [one for one in dict.fromkeys(ids) if one in there]


def read_files(path: Path) -> "Iterator[Example]":
    """Yield the texts of a file, or of all files in a folder."""
    paths = sorted(one for one in path.rglob("*") if one.is_file()) if path.is_dir() else [path]
    for one in paths:
        yield from read_body(_read_bytes(one), one.name)


def read_body(body: bytes, name: str) -> "Iterator[Example]":
    """Yield the text of a file: HTML as a page, plain text as it is, nothing for other types."""
    from gossamer.crawl.from_archive.topic_examples import make_example
    from gossamer.net import html, media_type
    from gossamer.net.encoding import decode
    from gossamer.text.topics.training_example import Example

    kind = media_type.detect_kind(None, body, name)
    if kind == "html":
        yield make_example(html.read(body, ""))
    elif kind == "text" and body.strip():
        yield Example(decode(body)[0])


def _read_bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise BadInput(f"{path} cannot be read: {error.strerror}") from None


def find_page(pages: "TopicExamples", url: str) -> "Example":
    """Return the page of a web with this URL; BadInput if the web has no text of it."""
    found = pages.find_by_url(url)
    if found is None:
        raise BadInput(f"the web has no text of {url}: crawl it first, or name a file")
    return found


def _read_source(pages: "TopicExamples", name: str) -> "list[Example]":
    if "://" in name:
        return [find_page(pages, name)]
    path = Path(name)
    if not path.exists():
        raise BadInput(
            f"there is no file or folder {name}; write pages of the web as full URLs, with http://"
        )
    listed = _read_url_list(path)
    found = list(filter(None, map(pages.find_by_url, listed))) if listed else list(read_files(path))
    if not found:
        where = "the web has none of the pages" if listed else "there are no texts"
        raise BadInput(f"{where} in {name}: name files of text, of HTML or of URLs, or a folder with some")
    return found


def _read_url_list(path: Path) -> list[str]:
    """Return the URLs that a file lists, one on each line; [] if it is another kind of file."""
    if path.is_dir():
        return []
    body = _read_bytes(path)
    lines = body.split()
    if not lines or not all(line.startswith((b"http://", b"https://")) for line in lines):
        return []
    return [line.decode("utf-8", "replace") for line in lines]


def search_pages(web: SearchableWeb, query: str) -> list[int]:
    """Return the page ids that a query finds, the best first; BadInput if it finds nothing."""
    found = web.pages_found(query, _MAX_RESULTS)
    if not found:
        raise BadInput(
            f"the query {query!r} finds nothing in the web: use other words, or index the web again"
        )
    return found


def _add_judged_pages(
    web: SearchableWeb, pages: "TopicExamples", sample: str, sides: TrainingExamples
) -> None:
    from gossamer.assess.judgements import read_judged_pages

    judged = read_judged_pages(web.store, sample)
    relevant, others = ([page for page, said in judged if said == verdict] for verdict in ("relevant", "not"))
    if not relevant:
        raise BadInput(
            f"no page of the sample {sample!r} has been judged relevant: continue with  gossamer assess"
        )
    sides.about += pages.read_pages(relevant)
    sides.against += pages.read_pages(others)


def _add_contrast(pages: "TopicExamples", found: list[int], sides: TrainingExamples) -> None:
    """Add pages of other sites and texts of general words as the contrast to a topic."""
    if not sides.about:
        return
    from gossamer.net.url import page_id

    about = [*found, *(page_id(one.url) for one in sides.about if one.url)]
    # A query finds pages on any site, so its contrast is all pages that it does not find.
    same_sites = () if found else sides.about
    others = pages.draw_others(same_sites, about, _MAX_OTHERS)
    if found and not others:
        raise BadInput("the query finds every page of the web: use words that only some pages have")
    try:
        general = write_general_texts(sides.about)
    except MissingExtra:
        if not others:
            raise
        general = []
    sides.against = [*others, *general]
    sides.invented = len(general)
    sides.prior = _EVEN_SHARE
    sides.note = f"{len(others):,} other pages of the web and {len(general):,} texts of general words serve as contrast"
    if len(others) < _FEW_OTHERS:
        sides.note += "; real pages, named with --against, would be better"


def write_general_texts(about: "Sequence[Example]") -> "list[Example]":
    """Write texts of general words in the language of most examples, from the word lists of the lab."""
    from gossamer.lab.writing.phrases import LANGUAGES
    from gossamer.lab.writing.sentences import make_halves
    from gossamer.text.language import detect
    from gossamer.text.topics.training_example import Example

    languages = Counter(detect(one.text).language for one in about)
    language = next((code for code, _ in languages.most_common() if code in LANGUAGES), "en")
    parts = make_halves(language)
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
