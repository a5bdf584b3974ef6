"""Sentences are kept once, some to measure with, and never more than a bound."""

from gossamer.text.language.training.collect_sentences import SentenceCollector
from gossamer.text.language.training.page_labels import Label

SURE, UNSURE = Label("de", True), Label("de", False)


def numbered(first: int, last: int) -> list[str]:
    return [f"Dies ist der Satz Nummer {number}." for number in range(first, last)]


def test_every_fifth_page_is_kept_back_if_its_language_is_sure() -> None:
    collector = SentenceCollector()
    for page in range(10):
        collector.add(SURE, page, numbered(10 * page, 10 * page + 10))
    collector.add(UNSURE, 5, numbered(200, 210))
    found = collector.to_sample()
    assert found.pages == {"de": 11}
    assert sorted(found.to_measure["de"]) == sorted([*numbered(0, 10), *numbered(50, 60)])
    assert len(found.to_learn["de"]) == 90


def test_what_stands_on_pages_of_both_kinds_is_learnt_and_not_measured_with() -> None:
    collector = SentenceCollector()
    collector.add(SURE, 1, numbered(0, 5))
    collector.add(SURE, 5, numbered(0, 5))
    assert collector.to_sample().to_measure == {}
    collector.add(SURE, 10, numbered(4, 6))
    found = collector.to_sample()
    assert found.to_measure == {"de": numbered(5, 6)}
    assert sorted(found.to_learn["de"]) == numbered(0, 5)


def test_what_is_no_sentence_is_left_out() -> None:
    collector = SentenceCollector()
    fragments = ["Impressum", "Über uns hier", "", "x " * 2000, "日本語", "今日はとても天気がいいですね。"]
    collector.add(Label("ja", True), 1, fragments)
    assert collector.to_sample().to_learn == {"ja": ["今日はとても天気がいいですね。"]}


def test_a_sample_is_bounded_and_does_not_depend_on_the_order() -> None:
    one, other = SentenceCollector(most_sentences=100), SentenceCollector(most_sentences=100)
    one.add(SURE, 1, numbered(0, 5000))
    other.add(SURE, 1, reversed(numbered(0, 5000)))
    kept = one.to_sample().to_learn["de"]
    assert 25 <= len(kept) <= 100
    assert kept == other.to_sample().to_learn["de"]


def test_what_stands_on_pages_of_several_languages_is_english_or_nothing() -> None:
    collector = SentenceCollector()
    everywhere, nowhere = "This was never translated by anybody.", "Ringo Starr, John Lennon, Paul McCartney"
    collector.add(Label("en", True), 1, [everywhere])
    collector.add(SURE, 1, [everywhere, nowhere, *numbered(0, 2)])
    collector.add(SURE, 5, [everywhere, *numbered(2, 3)])
    collector.add(Label("fr", True), 1, [nowhere])
    found = collector.to_sample()
    assert {code: sorted(some) for code, some in found.to_learn.items()} == {
        "de": numbered(0, 2), "en": [everywhere]
    }  # fmt: skip
    assert found.to_measure == {"de": numbered(2, 3)}
