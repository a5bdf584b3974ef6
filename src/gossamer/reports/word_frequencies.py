"""The words of texts by language, and their frequencies as a plot (Zipf's law)."""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from gossamer.errors import BadInput

if TYPE_CHECKING:  # imported when words are counted, so that the help of the command line is fast
    from gossamer.plots.canvas import Figure
    from gossamer.text.language.training.word_lists import WordList

_ZIPF_SHARE = 0.0006
_FEWEST_WORDS = 200


def count_words(labelled: Iterable[tuple[str, str]]) -> "dict[str, WordList]":
    """Count words by language, from pairs of language and text."""
    from gossamer.text.language.training.word_lists import count_words

    texts: dict[str, list[str]] = {}
    for code, text in labelled:
        texts.setdefault(code, []).append(text)
    return {code: count_words(some) for code, some in texts.items()}


def make_zipf_figure(lists: "Mapping[str, WordList]") -> "Figure":
    """Draw the word frequencies of languages: English first, then those with the most words.

    Languages written without spaces come last; their curves show characters.
    Source: Stein 1997, figure 4.1.
    """
    from gossamer.plots.zipf import MOST_CURVES, draw_frequencies
    from gossamer.text.language.language_names import name_language
    from gossamer.text.language.training.word_lists import compute_frequencies, is_unspaced

    totals = {code: sum(words.values()) for code, words in lists.items()}
    units = {
        code: "characters" if is_unspaced(max(words, key=words.__getitem__)) else "words"
        for code, words in lists.items()
        if words
    }
    ranked = sorted(units, key=lambda code: (code != "en", units[code] != "words", -totals[code], code))
    shown = [code for code in ranked if totals[code] >= _FEWEST_WORDS][:MOST_CURVES]
    if not shown:
        raise BadInput(f"--plot: no language has the {_FEWEST_WORDS} words that a curve needs")
    curves = {
        f"{name_language(code)} ({totals[code]:,} {units[code]})": compute_frequencies(lists[code])
        for code in shown
    }
    return draw_frequencies(curves, "Words by rank and share", (_ZIPF_SHARE, "Zipf words are above 0.06 %"))
