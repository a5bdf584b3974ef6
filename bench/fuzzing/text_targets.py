"""Fuzz targets: languages, topics, and what a search does with texts."""

import random
import tempfile
from pathlib import Path

import msgspec
import numpy as np

from fuzzing.damage import damage
from fuzzing.page_targets import Target
from fuzzing.random_inputs import make_text, make_texts
from gossamer.errors import BadInput
from gossamer.net.main_text.sentences import sentences
from gossamer.search.answers.find_word_starts import WordStarts, find_best_start, find_sentence_begin
from gossamer.search.answers.fold_near_copies import fold_near_copies
from gossamer.search.answers.similar_words import find_near_words
from gossamer.search.links.hash_link_texts import count_texts, hash_texts, unite_links
from gossamer.search.terms.base_form_finder import BaseFormFinder
from gossamer.search.terms.compound_words import split_compound
from gossamer.search.terms.lemma_dictionary import LemmaDictionary, prepare_dictionary
from gossamer.search.terms.split_words import has_unspaced, split
from gossamer.search.terms.term_finder import TermFinder
from gossamer.search.terms.term_table import TermTable
from gossamer.search.terms.word_frequencies import WordCosts, pack_costs
from gossamer.store.export.near_duplicates import NearDuplicates
from gossamer.text.language import Model, detect
from gossamer.text.language.detection.page_language import page_language
from gossamer.text.topics import Example, TopicModel, train_topic
from gossamer.text.topics.features.count_words import count_words, find_names, split_words
from gossamer.text.topics.score_page import PageScorer

_SAMPLE = Path(__file__).parents[2] / "tests" / "formats"


def _detect_languages(chance: random.Random, _: Path) -> None:
    text = make_text(chance)
    detect(text)
    detect(text[:2_000], ["en", "zh", "th"])
    page_language(text)
    sentences(text)


def _use_damaged_language_model(chance: random.Random, folder: Path) -> None:
    """Write a small model, damage it, and use it if it can be read."""
    path = folder / "model.bin"
    words = {f"{chance.choice('abcdefgh')}{chance.choice('rstuvw')}{n}": chance.random() for n in range(40)}
    Model.from_lists({"en": words, "de": {word[::-1]: value for word, value in words.items()}}).save(path)
    content = bytearray(path.read_bytes())
    for _ in range(chance.randint(0, 20)):
        content[chance.randrange(len(content) // chance.choice([1, 1, 8]))] = chance.randrange(256)
    path.write_bytes(content)
    try:
        model = Model.load(path)
    except BadInput:
        return
    detect(" ".join([*words, make_text(chance)[:500]]), model=model)
    page_language(make_text(chance) + " ".join(words), model=model)


def _count_topic_words(chance: random.Random, _: Path) -> None:
    parts = [(field, make_text(chance), chance.random() < 0.5) for field in range(chance.randint(0, 6))]
    ids, _times = count_words(parts)
    find_names(parts, set(ids[:50].tolist()))
    for _field, text, _pairs in parts[:2]:
        split_words(text)
    some = np.unique(np.concatenate([ids[:100], np.array([0, 2**32 - 1], np.uint32)]))
    numbers = np.array([chance.choice([1.0, -2.0, 1e300, float("nan")]) for _ in some])
    scorer = PageScorer(
        chance.choice(["linear", "bayes", "cosine"]), some, numbers, numbers, [1.0] * chance.randint(0, 9)
    )
    scorer.score(parts)
    texts = make_texts(chance, 5, 90)
    scorer.score_links(parts[:1], [(4, texts, True), (3, texts, False)], len(texts))


def _use_damaged_topic(chance: random.Random, _: Path) -> None:
    content = bytearray(chance.choice(sorted(_SAMPLE.glob("topic-*.bin"))).read_bytes())
    for _place in range(chance.randint(0, 3)):
        content[chance.randrange(len(content))] = chance.randrange(256)
    try:
        model = TopicModel.load(bytes(content))
    except BadInput:
        return
    model.relevance(make_text(chance), title=make_text(chance)[:100])
    model.log_odds_of_links([make_text(chance)[:50]], [PAGE_URL], "x")


PAGE_URL = "http://h.example/a/b.html"


def _train_topic(chance: random.Random, _: Path) -> None:
    pages = [Example(make_text(chance)[:3_000], title=make_text(chance)[:50]) for _ in range(8)]
    try:
        train_topic(pages[:4], against=pages[4:], kind=chance.choice(["linear", "bayes", "cosine"]))
    except BadInput:
        return


def _split_for_search(chance: random.Random, _: Path) -> None:
    text = make_text(chance)
    words = split(text)
    has_unspaced(text)
    find_near_words(text[:20_000], chance.choice(words or ["x"])[:70], chance.randint(0, 3))
    starts = list(
        {word[: chance.randint(1, 5)].lower() for word in chance.sample(words, min(5, len(words)))} - {""}
    )
    finder = WordStarts(starts, [chance.random() < 0.3 for _ in starts])
    numbers = dict.fromkeys((word.lower() for word in words), 1)
    found = finder.find_matches(
        text, _Numbers(numbers), 3, (100, 5_000, len(text) + 5), chance.choice([1, 8])
    )
    find_best_start(found, 180)
    first = chance.randint(0, len(text))
    find_sentence_begin(text, first, chance.randint(first, len(text)))
    table = TermTable(lambda word: word[: chance.randint(0, len(word))])
    for piece in (text[:first], text[first:], ""):
        table.begin_page()
        table.join(piece, set())
        table.join_apart(text)
        table.find_words(text, chance.sample(words, min(5, len(words))))


class _Numbers(dict[str, int]):
    def __missing__(self, word: str) -> int:
        return -1


def _hash_link_texts(chance: random.Random, _: Path) -> None:
    rows = [make_texts(chance, chance.choice([0, 3, 20]), chance.choice([0, 20, 40_000])) for _ in range(4)]
    packed = [
        msgspec.msgpack.encode([text.encode("utf-8", "replace").decode() for text in row]) for row in rows
    ]
    hashes = hash_texts(packed, sum(map(len, rows)))
    counters = np.zeros(1 << 10, np.uint8)
    count_texts(hashes, counters)
    sites = np.array([chance.randint(-3, 3) for _ in hashes], np.int32)
    unite_links(hashes[::-1].copy(), hashes, sites)
    try:
        hash_texts([damage(one, chance) for one in packed], sum(map(len, rows)))
    except ValueError:
        return


def _fold(chance: random.Random, _: Path) -> None:
    hashes = [chance.getrandbits(64) >> chance.choice([0, 1, 40]) for _ in range(chance.choice([0, 1, 60]))]
    fold_near_copies([one - (1 << 63) for one in hashes], [chance.randint(0, 2**31) for _ in hashes])


def _use_damaged_dictionary(chance: random.Random, _: Path) -> None:
    """Write entries of a dictionary of base forms, some with impossible lengths, and look words up in it."""
    words = sorted(
        text.encode("utf-8", "replace")[:1_100]
        for text in make_texts(chance, chance.choice([1, 40, 400]), 30)
    )
    content, before = b"", b""
    for word in words:
        shared = next((at for at, (a, b) in enumerate(zip(before, word, strict=False)) if a != b), 0)
        content += _pack_number(shared) + _pack_number(len(word) - shared) + word[shared:]
        base = word[: chance.randint(0, len(word))]
        content += chance.choice(
            [b"\xfe", b"\xff" + _pack_number(len(base)) + base, bytes([min(len(word), 9), 0])]
        )
        before = word
    content = b"SMFC1\x00" + _pack_number(len(words)) + content
    if chance.random() < 0.7:
        content = content[:7] + damage(content[7:], chance)
    try:
        dictionary = LemmaDictionary(prepare_dictionary(content))
    except ValueError:
        return
    costs = WordCosts(pack_costs({"x": 5} | {word.decode("utf-8", "replace"): len(word) for word in words}))
    finders = [BaseFormFinder(language, dictionary, costs) for language in ("en", "de", "fr")]
    for word in [*words[:50], b"", b"x" * 2_000]:
        text = word.decode("utf-8", "replace")
        dictionary.get(text)
        split_compound(text, "de")
        for finder in finders:
            finder.find(text)
            terms = TermFinder(
                finder, {text[1:]}, lambda term: [term[:5], " "], str.split, has_whole_bases=True
            )
            terms.find(text)


def _pack_number(number: int) -> bytes:
    """Pack a number as dictionaries do: seven bits a byte, the lowest first."""
    return bytes([number & 127 | 128]) + _pack_number(number >> 7) if number > 127 else bytes([number])


def _find_near_duplicates(chance: random.Random, folder: Path) -> None:
    """Compare texts, of which some are nearly equal, empty or in scripts without spaces."""
    text = make_text(chance)
    cut = chance.randint(0, len(text))
    texts = [text, text + " more", text[:cut], "", *make_texts(chance, chance.choice([0, 30]), 400)]
    with tempfile.TemporaryDirectory(dir=folder) as own:
        found = NearDuplicates(Path(own))
        for number, one in enumerate(texts):
            found.add(chance.choice([number, -number, 1 << 63]), one)
        found.find_new()
        found.close()


TARGETS: dict[str, Target] = {
    "language": _detect_languages,
    "language model": _use_damaged_language_model,
    "topic words": _count_topic_words,
    "topic model": _use_damaged_topic,
    "topic training": _train_topic,
    "search words": _split_for_search,
    "link texts": _hash_link_texts,
    "near copies": _fold,
    "base forms": _use_damaged_dictionary,
    "near duplicates": _find_near_duplicates,
}
