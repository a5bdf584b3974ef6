"""Sentences are collected once, some held out for measuring, in bounded samples."""

from gossamer.text.language.training.collect_sentences import SentenceCollector
from gossamer.text.language.training.page_labels import Label

SURE, UNSURE = Label("de", True), Label("de", False)


def number_sentences(first: int, last: int) -> list[str]:
    return [f"Dies ist der Satz Nummer {number}." for number in range(first, last)]


def test_every_fifth_page_with_a_sure_label_is_held_out() -> None:
    collector = SentenceCollector()
    for page in range(10):
        collector.add(SURE, page, number_sentences(10 * page, 10 * page + 10))
    collector.add(UNSURE, 5, number_sentences(200, 210))
    found = collector.to_sample()
    assert found.pages == {"de": 11}
    assert sorted(found.to_measure["de"]) == sorted([*number_sentences(0, 10), *number_sentences(50, 60)])
    assert len(found.to_learn["de"]) == 90


def test_a_sentence_to_learn_from_is_not_held_out() -> None:
    collector = SentenceCollector()
    collector.add(SURE, 1, number_sentences(0, 5))
    collector.add(SURE, 5, number_sentences(0, 5))
    assert collector.to_sample().to_measure == {}
    collector.add(SURE, 10, number_sentences(4, 6))
    found = collector.to_sample()
    assert found.to_measure == {"de": number_sentences(5, 6)}
    assert sorted(found.to_learn["de"]) == number_sentences(0, 5)


def test_fragments_are_left_out() -> None:
    collector = SentenceCollector()
    fragments = ["Impressum", "Über uns hier", "", "x " * 2000, "日本語", "今日はとても天気がいいですね。"]
    collector.add(Label("ja", True), 1, fragments)
    assert collector.to_sample().to_learn == {"ja": ["今日はとても天気がいいですね。"]}


def test_a_sample_is_bounded_and_independent_of_order() -> None:
    one, other = SentenceCollector(most_sentences=100), SentenceCollector(most_sentences=100)
    one.add(SURE, 1, number_sentences(0, 5000))
    other.add(SURE, 1, reversed(number_sentences(0, 5000)))
    kept = one.to_sample().to_learn["de"]
    assert 25 <= len(kept) <= 100
    assert kept == other.to_sample().to_learn["de"]


def test_a_sentence_on_pages_of_several_languages_is_english_or_dropped() -> None:
    collector = SentenceCollector()
    everywhere, nowhere = (
        "This sentence was never translated at all.",
        "Ringo Starr, John Lennon, Paul McCartney",
    )
    collector.add(Label("en", True), 1, [everywhere])
    collector.add(SURE, 1, [everywhere, nowhere, *number_sentences(0, 2)])
    collector.add(SURE, 5, [everywhere, *number_sentences(2, 3)])
    collector.add(Label("fr", True), 1, [nowhere])
    found = collector.to_sample()
    assert {code: sorted(some) for code, some in found.to_learn.items()} == {
        "de": number_sentences(0, 2), "en": [everywhere]
    }  # fmt: skip
    assert found.to_measure == {"de": number_sentences(2, 3)}
