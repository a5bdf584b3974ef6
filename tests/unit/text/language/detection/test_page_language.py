"""The language of a page is recognised from stretches spread over its text."""

from gossamer.text.language.detection.page_language import page_language
from gossamer.text.language.model.sample_text import sample_text

GERMAN = (
    "Der Sammler wartet, bis er den Rechner wieder fragen darf, und merkt sich alles, was er gesehen hat. "
    "Danach geht er zur nächsten Seite, die noch nicht besucht worden ist. "
)
ENGLISH = (
    "The crawler waits until it may ask the host again, and remembers everything that it has seen so far. "
    "After that it goes on to the next page that nobody has visited yet. "
)


def test_a_long_page_is_recognised_from_a_sample() -> None:
    long = "\n".join([ENGLISH] + [GERMAN] * 400 + [ENGLISH])
    sample = sample_text(long, 10, 100)
    assert len(sample) < 1_100
    assert page_language(long) == "de"
    words = set(long.split())
    assert set(sample.split()) <= words, "words are not cut"
    assert sample_text("short", 10, 100) == "short"


def test_candidates_can_be_restricted() -> None:
    assert page_language(GERMAN, languages=["da", "nl"]) == "nl"


def test_the_leading_script_of_the_whole_page_decides() -> None:
    code = "for name in list of names do something with each name of it and print it"
    japanese = "この章では、設定の方法について詳しく説明します。"
    mixed = "\n".join([japanese, code] * 60)
    assert page_language(mixed) == "ja"


def test_a_page_is_english_only_if_it_is_nothing_else() -> None:
    assert page_language("\n".join([ENGLISH, GERMAN, GERMAN] * 20)) == "de"
    assert page_language("\n".join([ENGLISH, GERMAN] * 20)) in ("", "de")


def test_doubt_between_relatives_is_not_a_mixture() -> None:
    assert page_language("Vi kan ikke si noe om det. " * 2, languages=["da", "nb", "nn"]) in ("nb", "nn")
