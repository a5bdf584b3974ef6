"""Build the language model that ships with the program, from installed packages.

    make language-model

Word lists come from wordfreq and simplemma, n-grams from lingua's models, and what those lack from the translations of
Debian's programs. Every version is pinned here or in requirements.txt, so the same model comes out again. The development
data and the sentences that recognisers are measured with are read by nothing here.
"""

import sys
import time
from pathlib import Path

from n_grams import in_latin, latin, lingua_counts, lingua_languages, short_words, with_edges
from word_lists import debian_words, estimated, letters_only, simplemma_forms, split, wordfreq_lists

from gossamer.text.language.building import RECIPE, built
from gossamer.text.language.counting import Counts
from gossamer.text.language.model import SHIPPED

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
# What a language has to make up, in tenths of a nat: those that few texts on the web are in. See docs/decisions.
HANDICAPS: dict[str, int] = {}
# Languages that wordfreq lacks and simplemma has.
FROM_SIMPLEMMA = {"cy", "et", "ga", "nn", "sq"}
# A form that simplemma knows and that is likelier than this goes into the list.
LEAST_SHARE = 1e-7


def main() -> int:
    """Read the packages, build the model and write it where it ships."""
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else SHIPPED
    started = time.monotonic()
    counts = n_gram_counts()
    lists = word_lists(counts)
    said(started, f"{len(lists)} lists with {sum(map(len, lists.values()))} words")
    model = built(lists, counts, RECIPE, HANDICAPS)
    model.save(target)
    said(started, f"{len(model.languages)} languages in {target.stat().st_size / 1e6:.1f} MB")
    return 0


def said(started: float, what: str) -> None:
    """Tell how far it is."""
    print(f"{time.monotonic() - started:5.0f} s  {what}", flush=True)


def n_gram_counts() -> dict[str, Counts]:
    """Return lingua's counts with the edges of words; Serbian in both scripts."""
    inner = {name: lingua_counts(name) for name in lingua_languages() if name not in OWN_N_GRAMS}
    inner["sr-Latn"] = in_latin(inner["sr"])
    return {name: with_edges(each) for name, each in inner.items()}


def word_lists(counts: dict[str, Counts]) -> dict[str, dict[str, float]]:
    """Return a list for every language: wordfreq's, or what can be known from other packages."""
    lists = {name: letters_only(words) for name, words in wordfreq_lists().items()}
    folder = Path(__file__).parents[2] / "build" / "language"
    for name, packages in FROM_DEBIAN.items():
        lists[name] = dict(debian_words([f"libreoffice-{package}={OFFICE}" for package in packages], folder))
    together = lists.pop("sh")
    south = {latin(word): share for word, share in together.items()}
    lists |= split(south, {name: counts[name] for name in ("bs", "hr", "sr-Latn")})
    lists["sr"] = {word: share for word, share in together.items() if latin(word) != word}
    lists |= split(lists["nb"], {name: counts[name] for name in ("nb", "nn")})
    for name in sorted(counts.keys() - lists.keys() | {"nn"}):
        lists[name] = lists.get(name, {}) | estimated_list(name, counts[name])
    return lists


def estimated_list(name: str, counts: Counts) -> dict[str, float]:
    """Make a list of short words, whose counts are known, and of forms that simplemma has, whose counts are not."""
    short = short_words(counts)
    letters = counts[1].counts
    words = float(letters[counts[1].codes[:, 0] == 2].sum())
    result = {word: count / words for word, count in short.items() if count / words >= LEAST_SHARE}
    if name in FROM_SIMPLEMMA:
        forms = [form for form in letters_only(dict.fromkeys(simplemma_forms(name), 1.0)) if len(form) > 3]
        likely = estimated(forms, counts).tolist()
        result |= {form: share for form, share in zip(forms, likely, strict=True) if share >= LEAST_SHARE}
    return result


if __name__ == "__main__":
    sys.exit(main())
