"""Examples of queries made from the words of an index, so that each of them finds something."""

from weakref import WeakKeyDictionary

import msgspec

from gossamer.search.answers.title_parts import split_title
from gossamer.search.engine import tantivy
from gossamer.search.index.page_entry import IndexedPage
from gossamer.search.index.search_index import Index
from gossamer.search.terms.analysis import get_analyser, is_unspaced, split_text
from gossamer.search.terms.stop_words import is_stop_word

_READ_PAGES = 60
_MOST_TITLE_WORDS = 6
_SHORTEST_WORD, _LONGEST_WORD = 4, 14
_SHORTEST_MISSPELT = 6
_LONGEST_ADDRESS = 80
# A word on a tenth of all pages finds too many, but the words of a small index may all be frequent.
_FREQUENT = 0.1
_START_CHARACTERS = 5


class ExampleQueries(msgspec.Struct, frozen=True):
    """Words, a phrase and names that some pages of an index have."""

    word: str = "apple"
    other: str = "tree"
    """Another word, of the same title if possible."""
    third: str = "garden"
    """A word of another page."""
    phrase: str = "apple tree"
    start: str = "garde"
    """The beginning of the third word."""
    misspelt: str = "gadren"
    """The third word with two letters swapped."""
    url: str = "https://www.example.org/"
    host: str = "www.example.org"
    site: str = "example.org"
    language: str = "en"
    year: int = 2026


_KNOWN: "WeakKeyDictionary[Index, tuple[int, ExampleQueries]]" = WeakKeyDictionary()


def make_examples(index: Index) -> ExampleQueries:
    """Return examples from an index; fixed ones if it is empty. Cost: reading sixty pages, once for each state of an index."""
    known = _KNOWN.get(index)
    if known is None or known[0] != index.pages:
        known = _KNOWN[index] = index.pages, _choose_examples(index)
    return known[1]


def _choose_examples(index: Index) -> ExampleQueries:
    query = tantivy.Query.all_query()
    hits = index.searcher.search(query, limit=_READ_PAGES, count=False).hits
    pages = [index.load_page(place) for _, place in hits]
    titled = [(page, _list_title_words(page, index)) for page in pages]
    # A title with two good words gives a phrase too; short titles are the plainest.
    titled = [one for one in titled if one[1]]
    titled.sort(key=lambda one: (len(one[1]) < 2, len(split_text(split_title(one[0].title)[0])), one[0].url))
    if not titled:
        return ExampleQueries()
    page, words = titled[0]
    other = next((word for _, more in titled for word in more if word != words[0]), words[0])
    other = words[1] if len(words) > 1 else other
    others = [word for _, more in titled for word in more if word not in (*words, other)]
    spelt = [one for one in (*others, *words) if len(one) >= _SHORTEST_MISSPELT and one.isascii()]
    third = (spelt or others or words)[0]
    return ExampleQueries(
        word=words[0],
        other=other,
        third=third,
        phrase=_choose_phrase(page, words),
        start=third[:_START_CHARACTERS],
        misspelt=_swap_letters(third),
        url=page.url if len(page.url) <= _LONGEST_ADDRESS else f"https://{_get_host(page)}/",
        host=_get_host(page),
        site=page.site or _get_host(page),
        language=page.language or "en",
        year=_choose_year(pages),
    )


def _list_title_words(page: IndexedPage, index: Index) -> list[str]:
    """Return the words of a title that are neither stop words nor on very many pages, in its order."""
    title = split_title(page.title)[0]
    words = split_text(title)
    if len(words) > _MOST_TITLE_WORDS or is_unspaced(title):
        return []
    most = max(2.0, _FREQUENT * index.pages)
    return [
        word
        for word in dict.fromkeys(words)
        if _SHORTEST_WORD <= len(word) <= _LONGEST_WORD
        and word.isalpha()
        and not is_stop_word(word, page.language)
        and index.count_pages("words", get_analyser(page.language)[word]) <= most
    ]


def _choose_phrase(page: IndexedPage, words: list[str]) -> str:
    """Return the words of a title from the first good one to the second; the whole title if there is only one."""
    title = split_text(split_title(page.title)[0])
    ends = [title.index(word) for word in words[:2]]
    return " ".join(title[min(ends) : max(ends) + 1] if len(ends) > 1 else title)


def _swap_letters(word: str) -> str:
    """Return a word with two different letters swapped, near its middle."""
    half = len(word) // 2
    at = next((at for at in (*range(half, len(word)), *range(1, half)) if word[at] != word[at - 1]), half)
    return word[: at - 1] + word[at] + word[at - 1] + word[at + 1 :]


def _get_host(page: IndexedPage) -> str:
    return page.url.partition("://")[2].partition("/")[0]


def _choose_year(pages: list[IndexedPage]) -> int:
    """Return a year from which some pages are, and others not if possible."""
    days = sorted(page.date_s for page in pages)
    return 1970 + int(days[len(days) // 2] // (365.2425 * 86_400))
