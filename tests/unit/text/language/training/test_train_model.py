"""A model is trained from sentences that are only said to be in a language: it cleans its own lists."""

from collections.abc import Iterable, Mapping

import pytest
from tests.unit.text.language.sample_sentences import invented, written

from gossamer.errors import BadInput
from gossamer.text.language import Candidate, Model, Verdict, detect
from gossamer.text.language.training.collect_sentences import SentenceCollector, SentenceSample
from gossamer.text.language.training.page_labels import Label
from gossamer.text.language.training.train_model import is_clear, sort_clear_sentences, train
from gossamer.text.language.training.word_lists import count_words


def collected(sentences: Mapping[str, Iterable[str]]) -> SentenceSample:
    """Collect sentences as if twenty of them made a page."""
    collector = SentenceCollector()
    for code, some in sentences.items():
        for number, sentence in enumerate(some):
            collector.add(Label(code, True), number // 20 + 1, [sentence])
    return collector.to_sample()


@pytest.mark.parametrize(
    ("shares", "clear"),
    [((0.7, 0.1, 0.1), True), ((0.69, 0.1), False), ((0.8, 0.11), False), ((1.0,), True), ((), False)],
)
def test_only_what_leaves_no_doubt_is_clear(shares: tuple[float, ...], clear: bool) -> None:
    assert is_clear(Verdict("de", tuple(Candidate("de", share) for share in shares))) is clear


def test_sentences_go_to_the_language_they_are_in_wherever_they_stood() -> None:
    danish, english = written("da", 20), written("en", 20)
    kept = sort_clear_sentences(
        [*danish, *english, "og, 17", "Das ist ein deutscher Satz."], ["da", "en"], Model.load()
    )
    assert set(kept["da"]) <= set(danish)
    assert set(kept["en"]) <= set(english)
    assert min(map(len, kept.values())) > 15


@pytest.mark.slow
def test_lists_made_of_nothing_are_cleaned_of_english() -> None:
    # A quarter of the pages of each country are in English, as in seed 003, section 4.3.
    pages = {
        code: [*written(code, 300), *written("en", 100, seed=10 + number)]
        for number, code in enumerate(("da", "fi", "en"))
    }
    result = train(collected(pages), None)
    for code in ("da", "fi"):
        before = count_words(pages[code])["the"]
        assert result.lists[code]["the"] < before / 10
    assert result.lists["en"]["the"] > 30
    assert result.languages["en"].kept > result.languages["en"].sentences
    truth = [(code, text) for code in pages for text in written(code, 100, seed=99)]
    right = sum(detect(text, model=result.model).language == code for code, text in truth)
    assert right / len(truth) >= 0.95


@pytest.mark.slow
def test_a_base_gains_the_words_that_the_crawl_uses() -> None:
    jargon = [
        f"{sentence[:-1]} zworblkx {('qworpf', 'xelmky')[number % 2]}."
        for number, sentence in enumerate(written("da", 150))
    ]
    result = train(collected({"da": jargon, "nl": written("nl", 130)}), Model.load())
    assert {"zworblkx", "qworpf", "xelmky"} <= set(result.lists["da"])
    assert result.languages["da"].new_words >= 3
    assert result.after.texts == result.before.texts > 20
    assert result.after.accuracy >= result.before.accuracy
    text = "qworpf zworblkx xelmky"
    assert detect(text, model=result.model).language == "da"


@pytest.mark.slow
def test_a_language_that_the_base_lacks_is_learnt() -> None:
    result = train(collected({"vo": invented(200), "da": written("da", 150)}), Model.load())
    assert result.before.languages["vo"].accuracy == 0
    assert result.after.languages["vo"].accuracy > 0.9
    assert result.after.languages["da"].accuracy >= result.before.languages["da"].accuracy


@pytest.mark.slow
def test_rounds_end_when_nothing_changes_and_are_told() -> None:
    heard: list[float] = []
    result = train(collected({"da": written("da", 150)}), Model.load(), rounds=9, progress=heard.append)
    assert len(result.rounds) < 9
    assert len(heard) == len(result.rounds)


@pytest.mark.slow
@pytest.mark.parametrize("base", [Model.load(), None], ids=["shipped", "nothing"])
def test_a_language_whose_pages_are_in_english_is_not_learnt(base: Model | None) -> None:
    english = written("en", 1200)
    pages = {"en": english, "da": written("da", 120), "vo": [*english, *invented(120)]}
    result = train(collected(pages), base, rounds=1)
    assert list(result.languages) == ["da", "en"]
    assert list(result.left_out) == ["vo"]


def test_too_little_is_said_and_left_out() -> None:
    some = collected({"da": written("da", 150), "fi": written("fi", 20)})
    result = train(some, Model.load(), rounds=1)
    assert result.left_out == {"fi": 20}
    assert list(result.languages) == ["da"]
    with pytest.raises(BadInput, match="too little to learn from"):
        train(SentenceSample({"fi": written("fi", 20)}), Model.load())
