"""Build the language model that ships with the program, from installed packages.

    make language-model

Word lists come from wordfreq and simplemma, n-grams from lingua's models, and what those lack from the translations of
Debian's programs. Every version is pinned here or in requirements.txt, so the same model comes out again. The development
data and the sentences that recognisers are measured with are read by nothing here.
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
# Languages that lingua does not have, or whose words it cuts at vowel signs, and the packages to count words of.
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
# Languages written with vowel signs or without spaces: their n-grams are counted over their lists.
OWN_N_GRAMS = {"bn", "gu", "hi", "ja", "ko", "mr", "pa", "ta", "te", "zh"}
# What a language has to make up, in tenths of a nat, tuned on the even lines of the development data. Few texts are in the
# rare ones, so a word or two must not look like them by chance; the same goes for Serbian in Latin script beside Croatian.
# Han without kana is seldom Japanese. Croatian and Bosnian are weighed against each other; so are Danish and Bokmål, such that
# the three sentences of each that are nearest to the border are as far from it. Galician, known from programs, draws
# technical pages in Spanish.
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
# Known from LibreOffice's translations and help alone, whose most frequent words are English (string, module, database): of 3,477
# pages of English documentation 273 were taken for Galician, and of ten sentences in Galician one.
NAMED_ONLY = {"gl"}
# Languages that wordfreq lacks and simplemma has.
FROM_SIMPLEMMA = {"cy", "et", "ga", "nn", "sq"}
# A form that simplemma knows and that is likelier than this goes into the list.
LEAST_SHARE = 1e-7


def main() -> int:
    """Read the packages, build the model and write it where it ships."""
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else SHIPPED
    started = time.monotonic()
    counts = count_n_grams()
    lists = make_word_lists(counts)
    report_progress(started, f"{len(lists)} lists with {sum(map(len, lists.values()))} words")
    model = build_model(
        lists, counts | count_han_n_grams(lists), RECIPE, HANDICAPS, find_foreign_words(lists), NAMED_ONLY
    )
    model.save(target)
    report_progress(started, f"{len(model.languages)} languages in {target.stat().st_size / 1e6:.1f} MB")
    return 0


def report_progress(started: float, what: str) -> None:
    """Tell how far it is."""
    print(f"{time.monotonic() - started:5.0f} s  {what}", flush=True)


def count_n_grams() -> dict[str, Counts]:
    """Return lingua's counts with the edges of words; Serbian in both scripts."""
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
    """Return a list for every language: wordfreq's, or what can be known from other packages."""
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
    """Make a list of short words, whose counts are known, and of forms that simplemma has, whose counts are not."""
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
