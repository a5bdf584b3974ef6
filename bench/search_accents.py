"""Compare the answers to queries typed without accents with the answers to the same queries with them.

    python bench/search_accents.py [--json]

Pages are the sections of Debian's handbook in languages whose letters have accents; a query is three words of a section, one of them
with accents. `overlap` is the share of the first twenty answers that are also found without accents, `first` the share of queries
whose first answer stays the same.
"""

import argparse
import random
import statistics
import sys
import unicodedata
from collections.abc import Iterator, Sequence

from command_line import run_benchmark
from german_sections import iterate_sections
from gossamer.search.index.page_entry import Entry
from gossamer.search.index.search_index import Index
from gossamer.search.query.compile_query import CompiledQuery
from gossamer.search.query.parse_query import parse
from gossamer.search.ranking.rerank import rank_pages
from gossamer.search.terms.analysis import split_text
from gossamer.search.terms.stop_words import is_stop_word
from guides import ROOT

EDITIONS = {"ca": "ca-ES", "cs": "cs-CZ", "es": "es-ES", "fr": "fr-FR", "pl": "pl-PL"}
_QUERIES = 200
_WORDS = 3
_SHORTEST_WORD = 5
_TOP = 20


def remove_accents(text: str) -> str:
    """Return a text as people type it who have no keys for accents."""
    letters = unicodedata.normalize("NFD", text.replace("ł", "l"))
    return "".join(letter for letter in letters if not unicodedata.combining(letter))


def draw_queries(texts: Sequence[str], language: str) -> Iterator[str]:
    """Yield words of random sections, one of them with accents."""
    dice = random.Random(3)
    for text in dice.choices(texts, k=_QUERIES):
        words = [
            word
            for word in dict.fromkeys(split_text(text))
            if len(word) >= _SHORTEST_WORD and word.isalpha() and not is_stop_word(word, language)
        ]
        accented = [word for word in words if remove_accents(word) != word]
        if accented and len(words) >= _WORDS:
            yield " ".join([dice.choice(accented), *dice.sample(words, _WORDS - 1)])


def find_pages(index: Index, query: str) -> list[int]:
    """Return the first answers to a query."""
    return [hit.page for hit in rank_pages(index, CompiledQuery(parse(query), index), _TOP)[:_TOP]]


def measure_language(texts: Sequence[str], language: str) -> tuple[float, float]:
    """Return the overlap of the answers, and how often the first one is the same."""
    index = Index()
    writer = index.writer()
    for number, text in enumerate(texts):
        writer.add(Entry(id=number, url="", title="", main=text, language=language))
    writer.commit()
    shared, same = [], []
    for query in draw_queries(texts, language):
        wanted, found = find_pages(index, query), find_pages(index, remove_accents(query))
        shared.append(len(set(wanted).intersection(found)) / max(1, len(wanted)))
        same.append(wanted[:1] == found[:1])
    return statistics.mean(shared), statistics.mean(same)


def measure() -> dict[str, float]:
    """Measure the editions that are installed."""
    figures: dict[str, float] = {}
    for language, edition in EDITIONS.items():
        editions = ((f"doc/debian-handbook/html/{edition}/*.html", {edition: "en-US"}),)
        texts = [text for _, text, _ in sorted(iterate_sections(ROOT, editions))]
        if texts:
            overlap, first = measure_language(texts, language)
            figures |= {
                f"search_accents.{language}_overlap": overlap,
                f"search_accents.{language}_first": first,
            }
    return figures


def main() -> int:
    """Print all figures."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--json", action="store_true")
    return run_benchmark("search_accents", measure, parser.parse_args().json)


if __name__ == "__main__":
    sys.exit(main())
