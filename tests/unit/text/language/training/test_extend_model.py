"""A model is extended by words and languages, and everything else stays unchanged."""

from collections import Counter

import numpy as np
from tests.unit.text.language.sample_sentences import invent_sentences, write_sentences

from gossamer.text.language import Model, detect
from gossamer.text.language.model.edit_table import TableEditor
from gossamer.text.language.model.feature_table import find_entries
from gossamer.text.language.model.pack_table import Entries, pack_table
from gossamer.text.language.training.extend_model import extend_model, find_new_words
from gossamer.text.language.training.word_lists import count_words

SENTENCES = {
    "da": "Jeg ved ikke, hvad der er sket med de andre i aften.",
    "nb": "Jeg vet ikke hva som har skjedd med de andre i kveld.",
    "en": "I do not know what has happened to the others this evening.",
    "ru": "Я не знаю, что случилось с другими сегодня вечером.",
}


def test_a_new_word_is_evidence_for_its_language() -> None:
    base = Model.load()
    lists = {"da": Counter({"zworblkx": 50, "og": 1000}), "nb": Counter({"og": 1000})}
    trained = extend_model(base, lists)
    assert find_new_words(base, trained, lists) == {"da": ["zworblkx"], "nb": []}
    alone = detect("zworblkx zworblkx", ["da", "nb"], trained)
    assert alone.language == "da"
    assert alone.confidence > detect("zworblkx zworblkx", ["da", "nb"], base).confidence


def test_shared_and_rare_words_extend_no_language() -> None:
    base = Model.load()
    lists = {"da": Counter({"zworblkx": 50, "qqpwz": 1}), "nb": Counter({"zworblkx": 3})}
    trained = extend_model(base, lists)
    assert find_new_words(base, trained, lists) == {"da": [], "nb": []}
    assert detect("zworblkx qqpwz", model=trained) == detect("zworblkx qqpwz", model=base)


def test_other_texts_keep_their_verdicts() -> None:
    base = Model.load()
    trained = extend_model(base, {"da": Counter({"zworblkx": 50})})
    for text in SENTENCES.values():
        assert detect(text, model=trained) == detect(text, model=base)
    assert trained.languages == base.languages


def test_known_words_keep_their_language() -> None:
    base = Model.load()
    trained = extend_model(base, {code: count_words(write_sentences(code, 200)) for code in ("da", "en")})
    for code, text in SENTENCES.items():
        assert detect(text, model=trained).language == code


def test_a_new_language_is_added() -> None:
    base = Model.load()
    trained = extend_model(base, {"vo": count_words(invent_sentences(300))})
    assert trained.languages == (*base.languages, "vo")
    assert [detect(text, model=trained).language for text in invent_sentences(20, seed=2)] == ["vo"] * 20
    for code, text in SENTENCES.items():
        assert detect(text, model=trained).language == code


def test_a_language_with_new_letters_is_added() -> None:
    base = Model.from_lists({"da": count_words(write_sentences("da", 50))})
    trained = extend_model(base, {"ru": count_words(write_sentences("ru", 200))})
    assert detect(SENTENCES["ru"], model=base).language is None
    assert detect(SENTENCES["ru"], model=trained).language == "ru"
    assert detect(SENTENCES["da"], model=trained) == detect(SENTENCES["da"], model=base)


def test_features_of_a_table_can_be_changed_and_added() -> None:
    keys = np.arange(1, 12, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    numbers = np.arange(11, dtype=np.uint8)
    table = TableEditor(pack_table(Entries(keys, numbers, numbers)))
    new = [int(key) ^ 0x123456789ABCDEF for key in keys]
    for key in new:
        table.set_entries(key, [(1, 2), (3, 4)])
    table.set_entries(int(keys[0]), [(9, 9)])
    after = table.to_table()
    had = {int(key): [(number, number)] for key, number in zip(keys, numbers.tolist(), strict=True)}
    added = {key: [(1, 2), (3, 4)] for key in new}
    for key, entries in {**had, int(keys[0]): [(9, 9)], **added}.items():
        places = find_entries(after, key)
        assert places is not None
        assert [(after.records[at], after.records[at + 1]) for at in places] == entries == table.find(key)
    assert find_entries(after, 12345) is None is table.find(12345)


def test_a_named_only_language_becomes_usual_once_it_is_trained() -> None:
    base = Model.load()
    assert "gl" not in base.usual
    trained = extend_model(base, {"gl": Counter({"zworblkx": 50, "unha": 1000})})
    assert "gl" in trained.usual
    assert "gl" not in extend_model(base, {"da": Counter({"zworblkx": 50})}).usual
