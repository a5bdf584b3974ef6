"""Word lists from installed packages: wordfreq, simplemma, and the translations of Debian's programs."""

import gettext
import gzip
import heapq
import re
import subprocess
from collections import Counter
from collections.abc import Iterable, Iterator
from importlib.resources import files
from pathlib import Path

import msgspec
import numpy as np
from simplemma.strategies.dictionaries.dictionary_factory import DefaultDictionaryFactory
from wordfreq import available_languages, get_frequency_dict

from gossamer.text.language.model.count_ngrams import Counts, Floats, Word, hash_grams
from gossamer.text.language.model.letter_model import compute_levels
from gossamer.text.language.model.plain_scorer import (
    END_OF_WORD,
    LONGEST_GRAM,
    START_OF_WORD,
    find_leading_script,
    split_words,
)

_MARKUP = re.compile(r"<[^>]*>|&\w+;|%[-\w.]+|\$\w+|\{[^}]*\}|[_~&](?=\w)|https?:\S+")
_BLOCK_OF_CODE = re.compile(r"(?s)<(script|style|pre|code)\b.*?</\1>")
# A shorter translated string is a name or a menu entry.
_SHORTEST_TEXT = 20
_MOST_WORDS = 60_000
# The approximate share of Chinese texts in traditional characters.
_TRADITIONAL = 0.3
# Counts are raised to this power, because terms of programs are more frequent there than elsewhere.
_FLATTENED = 0.7
# A longer form is too rare to be stored.
_LONGEST_FORM = 9


def read_wordfreq_lists() -> dict[str, dict[str, float]]:
    """Return all of wordfreq's lists; Filipino is Tagalog, and sh is Serbian, Croatian and Bosnian together."""
    names = {"fil": "tl"}
    return {
        names.get(name, name): _choose_most_frequent(get_frequency_dict(name, "best"))
        for name in available_languages("best")
    }


def add_traditional(words: dict[str, float]) -> dict[str, float]:
    """Add Chinese words in traditional characters: wordfreq has simplified all of them."""
    packed = (files("wordfreq") / "data" / "_chinese_mapping.msgpack.gz").read_bytes()
    simplified = msgspec.msgpack.decode(gzip.decompress(packed), type=dict[int, str])
    variants = {ord(simple): traditional for traditional, simple in reversed(simplified.items())}
    added = {word.translate(variants): _TRADITIONAL * share for word, share in words.items()}
    return {word: share for word, share in added.items() if word not in words} | words


def drop_english(words: Counter[str], english: dict[str, float]) -> dict[str, float]:
    """Return counted words as a list, without English ones and with reduced counts of program terms."""
    total = words.total()
    return {
        word: count**_FLATTENED for word, count in words.items() if count / total > english.get(word, 0.0)
    }


def _choose_most_frequent(words: dict[str, float]) -> dict[str, float]:
    """Return the most frequent words; rarer ones are judged by their letters."""
    return {word: words[word] for word in heapq.nlargest(_MOST_WORDS, words, key=words.__getitem__)}


def list_simplemma_forms(language: str) -> list[str]:
    """Return all forms that simplemma has a lemma for; none for a language it does not know."""
    try:
        dictionary = DefaultDictionaryFactory().get_dictionary(language)
    except ValueError:
        return []
    forms = {form if isinstance(form, str) else form.decode() for pair in dictionary.items() for form in pair}
    return sorted({form.lower() for form in forms if len(form) <= _LONGEST_FORM})


def count_debian_words(packages: Iterable[str], folder: Path) -> Counter[str]:
    """Count the words of the translated texts in Debian packages, in the script that most of them are in."""
    by_script: dict[int, Counter[str]] = {}
    for package in packages:
        for text in _read_translations(_unpack_package(package, folder)):
            codes = [ord(character) for character in _MARKUP.sub(" ", text)]
            script, _ = find_leading_script(codes)
            words = by_script.setdefault(script, Counter())
            words.update("".join(map(chr, word)) for word in split_words(codes, script))
    return max(by_script.values(), key=Counter.total)


def _unpack_package(package: str, folder: Path) -> Path:
    target = folder / package.replace("=", "_").replace(":", "_")
    if not target.exists():
        folder.mkdir(parents=True, exist_ok=True)
        subprocess.run(["apt-get", "download", "--quiet", package], cwd=folder, check=True)
        (archive,) = folder.glob(f"{package.split('=')[0]}_*.deb")
        subprocess.run(["dpkg-deb", "--extract", archive, target], check=True)
    return target


def _read_translations(folder: Path) -> Iterator[str]:
    """Yield translated texts: strings of programs, and pages of help."""
    for path in sorted(folder.rglob("*.mo")):
        with path.open("rb") as file:
            catalogue = gettext.GNUTranslations(file)._catalog  # type: ignore[attr-defined]
        for source, target in catalogue.items():
            if (
                isinstance(target, str)
                and target not in ("", source)
                and len(target) >= _SHORTEST_TEXT
                and source
            ):
                yield target
    for path in sorted(folder.rglob("*.html")):
        yield _BLOCK_OF_CODE.sub(" ", path.read_text("utf-8", "replace"))


def estimate_shares(words: list[str], counts: Counts) -> Floats:
    """Estimate the share of each word from n-grams, by the probabilities of its letters."""
    rows: list[list[int]] = []
    word_at: list[int] = []
    for at, word in enumerate(words):
        codes = [START_OF_WORD, *map(ord, word), END_OF_WORD]
        for end in range(2, len(codes) + 1):
            rows.append(([0] * LONGEST_GRAM + codes[:end])[-LONGEST_GRAM:])
            word_at.append(at)
    windows = np.array(rows, dtype=np.uint32)
    likely = np.full(len(rows), 1e-5)
    for length, level in enumerate(compute_levels(counts), 1):
        keys = hash_grams(windows[:, LONGEST_GRAM - length :])
        place = np.minimum(np.searchsorted(level.keys, keys), len(level.keys) - 1)
        likely = np.where(level.keys[place] == keys, level.likely[place], likely * (0.4 if length > 1 else 1))
    return np.exp(np.bincount(word_at, np.log(likely), len(words)))


def split_by_language(shared: dict[str, float], counts: dict[str, Counts]) -> dict[str, dict[str, float]]:
    """Divide one list among languages, by the likelihood of the letters of each word."""
    words = list(shared)
    likely = {language: estimate_shares(words, counts[language]) for language in counts}
    mean = sum(likely.values()) / len(likely)
    frequencies = np.array(list(shared.values()))
    return {
        language: dict(zip(words, (frequencies * likely[language] / mean).tolist(), strict=True))
        for language in counts
    }


def split_at_marks(words: dict[str, float]) -> dict[str, float]:
    """Return a list with its words split as the scorer splits them."""
    cut: dict[str, float] = {}
    for word, frequency in words.items():
        codes: Word = tuple(map(ord, word))
        for part in split_words(codes, find_leading_script(codes)[0]):
            name = "".join(map(chr, part))
            cut[name] = cut.get(name, 0.0) + frequency
    return cut
