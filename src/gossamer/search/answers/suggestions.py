"""Suggest queries while a person types: titles and phrases that go on as typed, and completions of the last word."""

import re
from collections import Counter
from itertools import islice, pairwise

from gossamer.search.answers.phrases import find_phrases
from gossamer.search.answers.title_parts import split_title
from gossamer.search.engine import tantivy
from gossamer.search.index.page_entry import IndexedPage
from gossamer.search.index.search_index import Index
from gossamer.search.query.compile_query import CompiledQuery
from gossamer.search.query.filters import match_any
from gossamer.search.query.parse_query import parse
from gossamer.search.terms.analysis import get_analyser, split_text, to_terms
from gossamer.search.terms.stop_words import is_stop_word

_LAST = re.compile(r"(?:^|\s)([^\W_]{1,40})$")
_MOST_CHARACTERS = 200
_PAGES = 40
_READ_CHARACTERS = 3_000
_IN_TITLE = 4
"""A word in a title counts as much as this many in the text."""
_AFTER_PREVIOUS = 10
"""A word right after the previous typed word counts as much as this many elsewhere."""
_MOST_TITLES = 3
_MOST_PHRASES = 4
_LONGEST_TITLE = 80
# A phrase that is typed may be anywhere on a page: only what is around its last word is read.
_PHRASE_PAGES = 20
_MOST_BEFORE = 4
_MOST_PLACES = 20
_AROUND = 60
_SHORT_WORD = 4
_MOST_PAGES = 0.5
_FEW_PAGES = 20


def suggest_queries(index: Index, typed: str, most: int = 8) -> list[str]:
    """Return queries that complete what was typed: titles, phrases and words that begin with it, then other titles.

    A completion never ends in a stop word. Words come from the pages that a query for such words finds, since the index itself
    has only stems. Cost: that of the query, and reading some of the pages.
    """
    last = _LAST.search(typed)
    if last is None or len(typed) > _MOST_CHARACTERS:
        return []
    before, word = typed[: last.start(1)], last[1].lower()
    if len(word) == 1 and not before.strip():  # one letter alone is too little
        return []
    plain = get_analyser("")
    start = plain[word]
    pages = _find_pages(index, before, word)
    previous = [plain[one] for one in split_text(before)]
    begun, others = _find_titles(pages, previous, start)
    phrases = _list_phrases(index, pages, split_text(before), start)
    words = _find_words(pages, previous[-1:], start)
    words = [one for one in words if one != word and not _is_everywhere(one, index)]
    first, last_ones = begun[:_MOST_TITLES], others[:_MOST_TITLES]
    completed = [before.lstrip() + one for one in (*phrases[:_MOST_PHRASES], *words)]
    room = max(0, most - len(first) - len(last_ones))
    together: dict[str, str] = {}
    for one in (*first, *completed[:room], *last_ones):
        together.setdefault(one.lower(), one)
    together.pop(typed.strip().lower(), None)
    return list(together.values())[:most]


def _read_beginning(page: IndexedPage) -> str:
    return f"{page.title}\n{page.text[:_READ_CHARACTERS]}"


def _list_phrases(index: Index, pages: list[IndexedPage], before: list[str], start: str) -> list[str]:
    """Return the phrases that go on as typed."""
    plain = get_analyser("")
    texts = {page.url: (page.language, _read_beginning(page)) for page in pages}
    for page in _find_phrase_pages(index, before, start):
        _, known = texts.get(page.url, ("", ""))
        texts[page.url] = page.language, f"{known}\n{_read_around(page, before[-1])}"
    found = find_phrases(texts.values(), [plain[one] for one in before], start)
    return [one for one in found if not _is_everywhere(one.rpartition(" ")[2], index)]


def _find_phrase_pages(index: Index, before: list[str], start: str) -> list[IndexedPage]:
    """Return pages that have the typed words next to each other."""
    if not before:
        return []
    phrases = [
        tantivy.Query.phrase_prefix_query(
            index.schema, "words", [*(get_analyser(code)[word] for word in before[-_MOST_BEFORE:]), start]
        )
        for code in index.languages
    ]
    hits = index.searcher.search(match_any(phrases), limit=_PHRASE_PAGES, count=False).hits
    return [index.load_page(place) for _, place in hits]


def _read_around(page: IndexedPage, word: str) -> str:
    """Return the surroundings of the places at which a page has a word, one a line, in whole words."""
    text = f" {page.text} "
    places = islice(re.finditer(re.escape(word), text, re.IGNORECASE), _MOST_PLACES)
    windows = (text[max(0, one.start() - _AROUND) : one.end() + _AROUND] for one in places)
    return "\n".join(window.partition(" ")[2].rpartition(" ")[0] for window in windows)


def _is_everywhere(word: str, index: Index) -> bool:
    """Say whether a word is short and on most pages: languages without a list of stop words have them, too."""
    if len(word) >= _SHORT_WORD or index.pages < _FEW_PAGES:
        return False
    return index.count_pages("words", get_analyser("")[word]) > _MOST_PAGES * index.pages


def _find_pages(index: Index, before: str, word: str) -> list[IndexedPage]:
    """Return pages with a word that begins like `word`, or a form of it; pages with it in their titles first."""
    occur, schema = tantivy.Occur, index.schema
    required = CompiledQuery(parse(before), index).query if before.strip() else None
    found: list[IndexedPage] = []
    for field in ("title", "words"):
        begins = tantivy.Query.fuzzy_term_query(
            schema, field, get_analyser("")[word], distance=0, prefix=True
        )
        # Stems are shorter than words: no term of the index begins with “pressure”.
        whole = [tantivy.Query.term_query(schema, field, term) for term in to_terms(word, index.languages)]
        parts = [(occur.Must, match_any([begins, *whole]))]
        query = tantivy.Query.boolean_query([*parts, (occur.Must, required)] if required else parts)
        hits = index.searcher.search(query, limit=_PAGES - len(found), count=False).hits
        found += [index.load_page(place) for _, place in hits]
        if len(found) >= _PAGES:
            break
    return found


def _find_words(pages: list[IndexedPage], previous: list[str], start: str) -> list[str]:
    """Return the words of some pages that begin with `start`: first those right after the previous word, then the most frequent."""
    plain = get_analyser("")
    worth: Counter[str] = Counter()
    for page in pages:
        text = split_text(_read_beginning(page))
        begun = {word for word in text if plain[word].startswith(start)}
        weights = {word: 1 for word in begun if not is_stop_word(word, page.language)}
        weights |= {word: _IN_TITLE for word in split_text(page.title) if word in weights}
        weights |= {
            word: weights[word] + _AFTER_PREVIOUS
            for before, word in pairwise(text)
            if word in weights and plain[before] in previous
        }
        worth.update(weights)
    return sorted(worth, key=lambda word: (-worth[word], len(word), word))


def _find_titles(pages: list[IndexedPage], before: list[str], start: str) -> tuple[list[str], list[str]]:
    """Return the titles that begin as typed, and others that have all these words; the most frequent first."""
    plain = get_analyser("")
    begun: Counter[str] = Counter()
    others: Counter[str] = Counter()
    for page in pages:
        parts = split_title(page.title)
        for title in (*parts, " ".join(page.title.split())):
            spelt = split_text(title)
            words = [plain[word] for word in spelt]
            place = _find_typed(words, before, start)
            if place == 0:
                begun[title] += 1
                break
            begun_words = [word for word in spelt if plain[word].startswith(start)]
            has_word = not all(is_stop_word(word, page.language) for word in begun_words)
            if (place > 0 and before) or (set(before) <= set(words) and has_word):
                others[title] += 1
                break
    return _list_short(begun), [one for one in _list_short(others) if one not in begun]


def _find_typed(words: list[str], before: list[str], start: str) -> int:
    """Return where a title has the typed words next to each other; -1 if nowhere."""
    size = len(before)
    places = range(len(words) - size)
    return next(
        (at for at in places if words[at : at + size] == before and words[at + size].startswith(start)), -1
    )


def _list_short(titles: Counter[str]) -> list[str]:
    return [title for title, _ in titles.most_common() if 0 < len(title) <= _LONGEST_TITLE]
