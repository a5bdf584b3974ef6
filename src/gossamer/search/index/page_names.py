"""The names of a page, each as one token: its title, the parts of its title, and the texts of links to it.

A query that is a name of a page as a whole finds its token with one look-up, however common its words are: “World War I” is not
“World War II”. Tokens are hashes of five bytes, in four kinds.

| kind | made of |
|---|---|
| `TITLE` | the words of the whole title, as they are |
| `EXACT` | the words of the title or of a part of it, as they are |
| `NAME` | the terms of these words |
| `ANCHOR` | the terms of a link text that is not a name already |
"""

import re
from collections.abc import Callable, Iterable, Sequence
from hashlib import blake2b

from gossamer.search.terms.analysis import get_analyser, split_text

NAMES_FIELD = "names"
TITLE, EXACT, NAME, ANCHOR = KINDS = ("t", "e", "n", "a")
# “Haydn - Composers | Example”, “csv — Reading and Writing”: sites put their own name and their sections into titles.
# White space is single spaces here, so that no pattern tries the same run twice.
_SEPARATORS = re.compile(r" [-–—:~/]+ | ?[|·•»›]+ ?|[:;] ")
# “8.15. Arrays”, “Chapter 12: Search”, “Part IV. Clients”, “B) Sources”: numbers of sections.
_NUMBERING = re.compile(r"^(?:[^\W\d_]+ )?(?:\d+|[A-Z]|[IVXLC]+)(?:\.\d+)*[.:)] ")
# “Mercury (planet)”: what tells two pages of one name apart.
_REMARK = re.compile(r" ?\([^()]*\) ?$")
_DIGEST_BYTES = 5


def make_token(kind: str, name: str) -> str:
    """Return the token of a name of one kind, given its words or terms joined by spaces."""
    return kind + blake2b(name.encode("utf-8", "replace"), digest_size=_DIGEST_BYTES).hexdigest()


def list_name_tokens(title: str, anchors: Iterable[str], join_terms: Callable[[str], str]) -> list[str]:
    """Return the tokens of all names of a page: of its title, and of the terms of link texts, each joined by spaces."""
    parts = (title, *split_title(title))
    whole, *others = (" ".join(split_text(part)) for part in parts)
    exact = dict.fromkeys(filter(None, (whole, *others)))
    names = dict.fromkeys(filter(None, map(join_terms, parts)))
    return [
        *(make_token(TITLE, words) for words in (whole,) if words),
        *(make_token(EXACT, words) for words in exact),
        *(make_token(NAME, terms) for terms in names),
        *(make_token(ANCHOR, terms) for terms in dict.fromkeys(anchors) if terms and terms not in names),
    ]


def make_query_tokens(words: Sequence[str], languages: Iterable[str]) -> dict[str, list[str]]:
    """Return, by kind, the tokens of the names that the words of a query could be as a whole."""
    whole = " ".join(words)
    terms = dict.fromkeys(" ".join(map(get_analyser(code).__getitem__, words)) for code in languages)
    return {
        TITLE: [make_token(TITLE, whole)],
        EXACT: [make_token(EXACT, whole)],
        NAME: [make_token(NAME, one) for one in terms],
        ANCHOR: [make_token(ANCHOR, one) for one in terms],
    }


def split_title(title: str) -> list[str]:
    """Return the parts of a title that can be names: between separators, without numbering, without a remark at the end."""
    found: dict[str, None] = {}
    title = " ".join(title.split())
    for part in (title, *_SEPARATORS.split(title)):
        plain = _NUMBERING.sub("", part)
        found |= dict.fromkeys((part, plain, _REMARK.sub("", plain)))
    found.pop(title, None)
    return list(found)
