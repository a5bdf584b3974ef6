"""Build the language model that ships with the program, from installed packages.

    make language-model

Word lists come from wordfreq and simplemma, n-grams from lingua's models, and the rest from the translations of
Debian's programs. Every version is pinned here or in requirements.txt, so that the build is reproducible. Nothing here reads
the development data or the sentences that recognisers are measured with. docs/decisions/0014-where-models-live.md says when to
build it again.
"""

import sys
import time
from pathlib import Path

from n_grams import (
    add_edges,
    convert_to_cyrillic,
    convert_to_latin,
    list_lingua_languages,
    list_short_words,
    read_lingua_counts,
)
from relatives import find_foreign_words
from word_lists import (
    add_traditional,
    count_debian_words,
    drop_english,
    estimate_shares,
    list_simplemma_forms,
    read_wordfreq_lists,
    split_at_marks,
    split_by_language,
)

from gossamer.text.language.model.build_model import RECIPE, build_model
from gossamer.text.language.model.count_ngrams import Counts, count_ngrams, normalise_words
from gossamer.text.language.model.model import SHIPPED

OFFICE = "4:7.4.7-1+deb12u14"
# Languages that lingua lacks, or whose words it cuts at vowel signs, and the packages whose words are counted instead.
FROM_DEBIAN = {
    "am": ["l10n-am"],
    "as": ["l10n-as"],
    "br": ["l10n-br"],
    "gd": ["l10n-gd"],
    "gl": ["l10n-gl", "help-gl"],
    "gu": ["l10n-gu"],
    "km": ["l10n-km", "help-km"],
    "kn": ["l10n-kn"],
    "ml": ["l10n-ml"],
    "mr": ["l10n-mr"],
    "ne": ["l10n-ne"],
    "or": ["l10n-or"],
    "pa": ["l10n-pa-in"],
    "si": ["l10n-si"],
    "te": ["l10n-te"],
}
# Languages with vowel signs or without spaces: their n-grams are counted over their word lists.
OWN_N_GRAMS = {"bn", "gu", "hi", "ja", "ko", "mr", "pa", "ta", "te", "zh"}
# Handicaps of languages in tenths of a nat, tuned on the even lines of the development data. Few texts are in the rare ones, so
# one or two words must not look like them by chance; the same holds for Serbian in Latin script beside Croatian. Han without kana
# is seldom Japanese. Croatian and Bosnian are balanced against each other; so are Danish and Bokmål, with equal distances of
# the three sentences of each that are nearest to the border. Galician, known from programs, attracts technical pages in Spanish.
RARE = (
    "af am as az be bn br eo gd gl gu hy ka kk km kn la lg mi mk ml mn mr ms ne or pa si sn so sq st sw ta te th tl tn ts ur"
    " xh yo zu"
)
HANDICAPS = dict.fromkeys(RARE.split(), 40) | {
    "bs": -8,
    "gl": 80,
    "hr": 4,
    "ja": 15,
    "nb": -18,
    "sr-Latn": 35,
}
# Known only from LibreOffice's translations and help, whose most frequent words are English (string, module, database): 273 of
# 3,477 pages of English documentation were taken for Galician, and one of ten sentences in Galician.
NAMED_ONLY = {"gl"}
# Languages that wordfreq lacks and simplemma has.
FROM_SIMPLEMMA = {"cy", "et", "ga", "nn", "sq"}
# A form of simplemma with a larger share than this is added to the list.
LEAST_SHARE = 1e-7


def main() -> int:
    """Read the packages, build the model and write it into the package."""
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else SHIPPED
    started = time.monotonic()
    counts = count_n_grams()
    lists = make_word_lists(counts)
    report_progress(started, f"{len(lists)} lists with {sum(map(len, lists.values()))} words")
    model = build_model(
        lists,
        counts=counts | count_han_n_grams(lists),
        recipe=RECIPE,
        handicaps=HANDICAPS,
        foreign=find_foreign_words(lists),
        named_only=NAMED_ONLY,
    )
    model.save(target)
    report_progress(started, f"{len(model.languages)} languages in {target.stat().st_size / 1e6:.1f} MB")
    return 0


def report_progress(started: float, what: str) -> None:
    """Print a line of progress with the time since the start."""
    print(f"{time.monotonic() - started:5.0f} s  {what}", flush=True)


def count_n_grams() -> dict[str, Counts]:
    """Return lingua's counts with the edges of words, and Serbian in both scripts."""
    inner = {name: read_lingua_counts(name) for name in list_lingua_languages() if name not in OWN_N_GRAMS}
    inner["sr-Latn"] = convert_to_latin(inner["sr"])
    return {name: add_edges(each) for name, each in inner.items()}


def count_han_n_grams(lists: dict[str, dict[str, float]]) -> dict[str, Counts]:
    """Return the n-grams of Chinese and Japanese: single characters from lingua's texts, longer ones from the lists."""
    return {
        name: {**count_ngrams(normalise_words(lists[name])), **read_lingua_counts(name)}
        for name in ("ja", "zh")
    }


def make_word_lists(counts: dict[str, Counts]) -> dict[str, dict[str, float]]:
    """Return a list for every language: wordfreq's, or one from other packages."""
    lists = {name: split_at_marks(words) for name, words in read_wordfreq_lists().items()}
    folder = Path(__file__).parents[2] / "build" / "language"
    for name, packages in FROM_DEBIAN.items():
        words = count_debian_words([f"libreoffice-{package}={OFFICE}" for package in packages], folder)
        lists[name] = drop_english(words, lists["en"])
    lists["zh"] = add_traditional(lists["zh"])
    # wordfreq has all of it in Latin script.
    lists |= split_by_language(lists.pop("sh"), {name: counts[name] for name in ("bs", "hr", "sr-Latn")})
    lists["sr"] = {convert_to_cyrillic(word): share for word, share in lists["sr-Latn"].items()}
    lists |= split_by_language(lists["nb"], {name: counts[name] for name in ("nb", "nn")})
    for name in sorted(counts.keys() - lists.keys() | {"nn"}):
        lists[name] = lists.get(name, {}) | estimate_list(name, counts[name])
    return lists


def estimate_list(name: str, counts: Counts) -> dict[str, float]:
    """Make a list of short words, with known counts, and of simplemma's forms, with estimated ones."""
    short = list_short_words(counts)
    letters = counts[1].counts
    words = float(letters[counts[1].codes[:, 0] == 2].sum())
    result = {word: count / words for word, count in short.items() if count / words >= LEAST_SHARE}
    if name in FROM_SIMPLEMMA:
        forms = [
            form for form in split_at_marks(dict.fromkeys(list_simplemma_forms(name), 1.0)) if len(form) > 3
        ]
        likely = estimate_shares(forms, counts).tolist()
        result |= {form: share for form, share in zip(forms, likely, strict=True) if share >= LEAST_SHARE}
    return result


if __name__ == "__main__":
    sys.exit(main())
