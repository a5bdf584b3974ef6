"""Detection of the languages of the shipped model, and of inputs that are no text."""

import random

import pytest

from gossamer.errors import BadInput
from gossamer.text.language import Model, Verdict, detect, detect_many
from gossamer.text.language.detection.detect_language import LanguageMemo, _sample_long_text

SENTENCES = {
    "da": "Hvad hedder du egentlig, og hvor kommer du fra?",
    "de": "Dies ist ein deutscher Satz.",
    "el": "Αυτή είναι μια ελληνική πρόταση.",
    "en": "This is a sentence in the English language.",
    "es": "Esta es una frase en la lengua española.",
    "fr": "Ceci est une phrase dans la langue française.",
    "ja": "これは日本語の文です。",
    "ko": "이것은 한국어 문장입니다.",
    "nb": "Hva heter du egentlig, og hvor kommer du fra?",
    "ru": "Это предложение на русском языке.",
    "uk": "Це речення українською мовою.",
    "zh": "这是一个中文句子。",
}


@pytest.mark.parametrize("language", SENTENCES)
def test_a_sentence_is_recognised(language: str) -> None:
    verdict = detect(SENTENCES[language])
    assert verdict.language == language
    assert verdict.candidates[0].language == language
    assert verdict.confidence == verdict.candidates[0].share


def test_a_sentence_is_running_text() -> None:
    text = "Dies ist ein Satz, wie er in einem Buch steht, und der Leser wird nicht viel dabei finden."
    assert detect(text).running


def test_shares_descend_and_add_up_to_at_most_one() -> None:
    shares = [candidate.share for candidate in detect("det er en kat i huset").candidates]
    assert shares == sorted(shares, reverse=True)
    assert len(shares) > 1
    assert sum(shares) <= 1 + 1e-9


NOISE = random.Random(4)
NOT_TEXTS = {
    "empty": "",
    "spaces": " \n\t ",
    "numbers": "12 345 678,90 (2026)",
    "emoji": "😀 🎉 👩‍👩‍👧",
    "one letter": "a",
    "bytes read as Latin 1": NOISE.randbytes(3000).decode("latin-1"),
    "bytes read as UTF-8": NOISE.randbytes(3000).decode("utf-8", "replace"),
    "half of a pair": "\ud800\udfff",
    "ten megabytes of noise": NOISE.randbytes(10_000_000).decode("latin-1"),
}


@pytest.mark.parametrize("what", NOT_TEXTS)
def test_an_input_that_is_no_text_is_unknown(what: str) -> None:
    assert detect(NOT_TEXTS[what]) == Verdict(None, (), 0.0, False, 0.0)


def test_a_single_han_character_is_a_word() -> None:
    assert detect("的").language == "zh"


def test_ten_megabytes_are_recognised_from_a_sample() -> None:
    text = (SENTENCES["da"] + " ") * 200_000
    assert len(_sample_long_text(text)) < 21_000
    assert detect(text).language == "da"


def test_candidates_can_be_restricted() -> None:
    assert detect(SENTENCES["da"], languages=["nb", "sv"]).language == "nb"
    assert detect(SENTENCES["da"], languages=["en-GB", "ja"]).language == "en"
    assert detect(SENTENCES["da"], languages=["ja", "ru"]) == Verdict()


def test_an_unknown_code_is_refused_with_similar_ones() -> None:
    with pytest.raises(BadInput, match=r"does not know the language 'dk'; similar codes: .*\bda\b"):
        detect("hej", languages=["dk"])


def test_the_best_language_is_that_of_detect() -> None:
    memo = LanguageMemo()
    for text in [*SENTENCES.values(), "hello", "", "12 %", "Spinne", "Und dann. " * 5_000] * 2:
        best, verdict = memo.find(text), detect(text)
        assert best == (verdict.language, verdict.confidence, verdict.zipf_share)
        assert best.sure == verdict.sure


def test_detect_many_equals_detect_of_each() -> None:
    assert detect_many(SENTENCES.values()) == [detect(text) for text in SENTENCES.values()]


def test_a_table_is_not_running_text() -> None:
    verdict = detect(
        "Telefon Fax Adresse Postleitzahl Telefonnummer Ansprechpartner Öffnungszeiten Faxnummer"
    )
    assert verdict.language == "de"
    assert not verdict.running
    assert verdict.zipf_share < 0.2


def test_decomposed_unicode_gives_the_same_verdict() -> None:
    assert detect("Tiếng Việt là ngôn ngữ của người Việt").language == "vi"
    decomposed = "Tie\u0302\u0301ng Vie\u0323\u0302t la\u0300 ngo\u0302n ngu\u031b\u0303 cu\u0309a ngu\u031bo\u031b\u0300i Vie\u0323\u0302t"
    assert detect(decomposed) == detect("Tiếng Việt là ngôn ngữ của người Việt")


def test_the_shipped_model_is_opened_once() -> None:
    assert Model.load() is Model.load()


def test_words_of_programs_are_english_unless_galician_is_named() -> None:
    words = "module string database function command index cursor option column"
    assert detect(words).language == "en"
    assert detect(words, ["en", "gl"]).language == "gl"  # the reason why it must be named
