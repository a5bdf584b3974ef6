"""Bring the token store of a web up to date: read new and changed pages, and leave out those that are gone.

Segments are written while pages are read, and the state in the end. A run that is killed leaves the old state, and the next
one goes on from the segments that are there.
"""

import fcntl
from array import array
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import msgspec
import numpy as np
from xxhash import xxh3_64_intdigest

from gossamer.context.words.tokens.build_segment import SegmentBuilder
from gossamer.context.words.tokens.merge_segments import merge_segments
from gossamer.context.words.tokens.segment import SUFFIX, Mask, Numbers, PageFacts, Segment
from gossamer.context.words.tokens.token_store import STATE_FILE, exists, write_state
from gossamer.crawl.from_archive.archived_pages import is_text_document, read_document
from gossamer.documents.read_document import DocumentReaders
from gossamer.errors import BadInput, StoreFailed
from gossamer.records import Page
from gossamer.search.index.make_entry import choose_date
from gossamer.store.batch import Store
from gossamer.store.model_folder import language_model
from gossamer.store.opening.open_archive import open_reader
from gossamer.text.language.detection.corpus_sentences import Sentence, sentences_of

MOST_TOKENS = 4_000_000
"""A segment has at most about this many tokens: 200 MB of memory while it is built."""
_MOST_PAGES = 50_000
_PAGES_AT_ONCE = 500
_OK = 200

PageSentences = tuple[PageFacts, Iterable[Sentence]]
OnProgress = Callable[[float], None]


class TokenRefresh(msgspec.Struct):
    """What a refresh did, in pages."""

    read: int = 0
    removed: int = 0
    unchanged: int = 0
    missing: int = 0
    """Pages that the archive does not have."""


class _WebPages(msgspec.Struct, frozen=True, eq=False):
    """All pages with text of a web: 16 bytes each."""

    ids: Numbers
    stamps: Numbers


def refresh_tokens(
    folder: Path, store: Store, web_folder: Path, on_progress: OnProgress = lambda _: None
) -> TokenRefresh:
    """Bring a token store up to date with its web. Cost: a pass over all pages, and reading those that have changed."""
    source = describe_source(store)
    current = _list_pages(store)
    done = TokenRefresh()

    def read_wanted(wanted: Numbers) -> Iterator[PageSentences]:
        return _read_pages(wanted, store, web_folder, done, on_progress)

    write_tokens(folder, current.ids, current.stamps, read_wanted, done, {"source": source})
    return done


def describe_source(store: Store) -> str:
    """Return a short text that changes when pages were visited: whether a token store may be out of date."""
    counts = store.counts()
    return f"{counts['pages']} pages, {counts['visits']} visits"


def write_tokens(
    folder: Path,
    ids: Numbers,
    stamps: Numbers,
    read: Callable[[Numbers], Iterator[PageSentences]],
    done: TokenRefresh,
    facts: dict[str, str],
) -> None:
    """Write a token store of pages with these ids and stamps; `read` yields the sentences of those that it lacks."""
    try:
        folder.mkdir(exist_ok=True)
        with _hold_lock(folder):
            _write_tokens(folder, ids, stamps, read, done, facts)
    except OSError as error:
        raise StoreFailed(f"the words in {folder} could not be written: {error.strerror or error}") from error


def _write_tokens(
    folder: Path,
    ids: Numbers,
    stamps: Numbers,
    read: Callable[[Numbers], Iterator[PageSentences]],
    done: TokenRefresh,
    facts: dict[str, str],
) -> None:
    if not exists(folder):
        _remove_files(folder)
    segments = _open_segments(folder)
    known, known_stamps = _list_known(segments)
    order = np.argsort(known)
    at = np.minimum(np.searchsorted(known, ids, sorter=order), max(0, len(known) - 1))
    same = np.zeros(len(ids), np.bool_)
    if len(known):
        same = (known[order[at]] == ids) & (known_stamps[order[at]] == stamps)
    done.unchanged, done.removed = int(same.sum()), len(np.setdiff1d(known, ids))
    written = _write_segments(folder, segments, read(ids[~same]))
    segments += [Segment(path) for path in written]
    alive = _find_living(segments, ids)
    segments, alive = merge_segments(folder, segments, alive, MOST_TOKENS)
    write_state(folder, segments, alive, facts)
    _remove_others(folder, segments)


@contextmanager
def _hold_lock(folder: Path) -> Iterator[None]:
    """Let one process write at a time; the system releases the lock when it ends."""
    with (folder / "lock").open("wb") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise BadInput(
                "another process is reading the words of this web; wait until it has finished, or use --as-is"
            ) from None
        yield


def _list_pages(store: Store) -> _WebPages:
    ids, stamps = array("q"), array("q")
    for page in store.pages():
        if (page.kind == "html" and page.status == _OK) or is_text_document(page):
            ids.append(page.id)
            stamps.append(compute_stamp(page))
    return _WebPages(
        np.array(ids, np.int64) if ids else np.empty(0, np.int64),
        np.array(stamps, np.int64) if stamps else np.empty(0, np.int64),
    )


def compute_stamp(page: Page) -> int:
    """Return a digest of the text of a page, or of its bytes if the crawl did not read it."""
    content = page.text_digest or page.digest
    return xxh3_64_intdigest(f"{content}".encode()) - 2**63


def _read_pages(
    wanted: Numbers, store: Store, web_folder: Path, done: TokenRefresh, on_progress: OnProgress
) -> Iterator[PageSentences]:
    """Yield the pages with these ids and their sentences, from the archive."""
    if not len(wanted):
        return
    reader, model = open_reader(web_folder / "archive"), language_model(web_folder)
    with DocumentReaders() as documents:
        for first in range(0, len(wanted), _PAGES_AT_ONCE):
            some = wanted[first : first + _PAGES_AT_ONCE].tolist()
            pages = store.pages_by_id(some)
            for number, page_id in enumerate(some, first + 1):
                page = pages.get(page_id)
                document = read_document(page, reader, documents) if page is not None else None
                if page is None or document is None:
                    done.missing += 1
                    continue
                done.read += 1
                facts = PageFacts(page.id, page.url, page.host, choose_date(page), compute_stamp(page))
                yield facts, sentences_of(document, model=model)
                on_progress(number / len(wanted))


def _write_segments(folder: Path, segments: list[Segment], pages: Iterable[PageSentences]) -> list[Path]:
    """Write pages into new segments; return their paths."""
    number = 1 + max((int(segment.name) for segment in segments), default=0)
    builder = SegmentBuilder()
    paths: list[Path] = []
    for page, sentences in pages:
        builder.add_page(page, sentences)
        if len(builder.tokens) >= MOST_TOKENS or builder.pages >= _MOST_PAGES:
            paths.append(_write_segment(folder, builder, number + len(paths)))
            builder = SegmentBuilder()
    if builder.pages:
        paths.append(_write_segment(folder, builder, number + len(paths)))
    return paths


def _write_segment(folder: Path, builder: SegmentBuilder, number: int) -> Path:
    path = folder / f"{number:08}{SUFFIX}"
    builder.write(path)
    return path


def _open_segments(folder: Path) -> list[Segment]:
    """Open all segments in order, those that an interrupted run left behind too."""
    return [Segment(path) for path in sorted(folder.glob(f"*{SUFFIX}"))]


def _list_known(segments: list[Segment]) -> tuple[Numbers, Numbers]:
    """Return the ids and stamps of all pages, those of the newest segment if a page is in several."""
    ids = np.concatenate([np.empty(0, np.int64), *(one.get("page_ids") for one in segments[::-1])])
    stamps = np.concatenate([np.empty(0, np.int64), *(one.get("page_stamps") for one in segments[::-1])])
    ids, first = np.unique(ids, return_index=True)
    return ids, stamps[first]


def _find_living(segments: list[Segment], ids: Numbers) -> list[Mask]:
    """Return for each segment which of its pages are the newest version of a page of the web."""
    # A page may be in a segment twice, if a run was killed between two of them: the last one counts.
    newest_first = [np.empty(0, np.int64), *(one.get("page_ids")[::-1] for one in segments[::-1])]
    known = np.concatenate(newest_first)
    living = np.zeros(len(known), np.bool_)
    living[np.unique(known, return_index=True)[1]] = True
    living &= np.isin(known, ids)
    masks: list[Mask] = np.split(living[::-1], np.cumsum([segment.pages for segment in segments])[:-1])
    return masks if segments else []


def _remove_files(folder: Path) -> None:
    """Remove a store of another version, unless it holds nothing but segments of an interrupted first run."""
    if (folder / STATE_FILE).exists():
        for path in [*folder.glob(f"*{SUFFIX}"), folder / STATE_FILE]:
            path.unlink(missing_ok=True)


def _remove_others(folder: Path, segments: list[Segment]) -> None:
    names = {segment.name for segment in segments}
    for path in folder.glob(f"*{SUFFIX}"):
        if path.stem not in names:
            with suppress(OSError):
                path.unlink()
