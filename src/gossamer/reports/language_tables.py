"""The languages of a web: how many pages and words each has, and how often its words occur."""

from collections import defaultdict
from collections.abc import Callable
from typing import TYPE_CHECKING

from gossamer.crawl.from_archive.archived_pages import read_archived_pages
from gossamer.net import html
from gossamer.reports.analysis import Analysis, ResultTable, flatten_tables, format_share
from gossamer.reports.word_frequencies import count_words, make_zipf_figure
from gossamer.text.language.language_names import name_language
from gossamer.web import Web

if TYPE_CHECKING:  # imported when something is drawn
    from gossamer.plots.canvas import Figure

_MOST_READ = 5_000
_WORDS_SHOWN = 10


def analyse_shares(web: Web) -> Analysis:
    """Count pages and words by the language that was recognised when they were fetched."""
    pages: dict[str, int] = defaultdict(int)
    words: dict[str, int] = defaultdict(int)
    for page in web.store.pages():
        if page.words:
            pages[page.language] += 1
            words[page.language] += page.words
    whole = sum(pages.values())
    ranked = sorted(pages, key=lambda code: (-pages[code], code))
    rows = [
        (_name(code), code, pages[code], format_share(pages[code], whole), words[code]) for code in ranked
    ]
    table = ResultTable("Pages by language", ("language", "code", "pages", "share", "words"), rows)
    facts = [
        {"language": code, "name": _name(code), "pages": pages[code], "words": words[code]} for code in ranked
    ]

    def draw() -> "Figure":
        from gossamer.plots.distributions import draw_rankings

        shown = [(_name(code), pages[code] / whole) for code in ranked]
        return draw_rankings({"Pages by language": shown[:20]}, "share of the pages with text")

    return Analysis({"languages": facts}, [table], lambda: flatten_tables([table]), _describe(whole), draw)


def analyse_words(web: Web, progress: Callable[[float], None]) -> Analysis:
    """Count the words of pages in each language, and draw their frequencies by rank."""
    most = min(_MOST_READ, max(1, web.store.counts()["pages"]))
    texts: list[tuple[str, str]] = []
    for page, document in read_archived_pages(web.store, web.folder / "archive"):
        if page.language:
            texts.append((page.language, html.main_text(document) or document.text))
            progress(min(1.0, len(texts) / most))
        if len(texts) >= most:
            break
    lists = count_words(texts)
    ranked = sorted(lists, key=lambda code: (-sum(lists[code].values()), code))
    best = {code: sorted(lists[code], key=lambda word: (-lists[code][word], word)) for code in ranked}
    rows = [
        (
            _name(code),
            sum(lists[code].values()),
            len(lists[code]),
            " ".join(best[code][:_WORDS_SHOWN]),
        )
        for code in ranked
    ]
    table = ResultTable("Words by language", ("language", "words", "different", "most frequent"), rows)
    notes = [f"Counted on {len(texts):,} pages with text, the first of the web."] if texts else []
    facts = {code: {word: lists[code][word] for word in words[:100]} for code, words in best.items()}
    return Analysis(
        {"pages_read": len(texts), "most_frequent": facts},
        [table],
        lambda: flatten_tables([table]),
        notes,
        lambda: make_zipf_figure(lists),
    )


def _name(code: str) -> str:
    return name_language(code) if code else "not recognised"


def _describe(pages: int) -> list[str]:
    return [f"{pages:,} pages have text; pictures and empty pages do not count."]
