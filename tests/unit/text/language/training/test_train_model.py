"""A model is trained from sentences with unreliable labels, and cleans its own lists."""

from collections.abc import Iterable, Mapping

import pytest
from tests.unit.text.language.sample_sentences import invent_sentences, write_sentences

from gossamer.errors import BadInput
from gossamer.text.language import Candidate, Model, Verdict, detect
from gossamer.text.language.training.collect_sentences import SentenceCollector, SentenceSample
from gossamer.text.language.training.page_labels import Label
from gossamer.text.language.training.train_model import is_clear, sort_clear_sentences, train
from gossamer.text.language.training.word_lists import count_words


def collect(sentences: Mapping[str, Iterable[str]]) -> SentenceSample:
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
def test_a_verdict_is_clear_if_the_second_language_is_far_behind(
    shares: tuple[float, ...], clear: bool
) -> None:
    assert is_clear(Verdict("de", tuple(Candidate("de", share) for share in shares))) is clear


def test_sentences_are_sorted_by_detected_language() -> None:
    danish, english = write_sentences("da", 20), write_sentences("en", 20)
    kept = sort_clear_sentences(
        [*danish, *english, "og, 17", "Das ist ein deutscher Satz."], ["da", "en"], Model.load()
    )
    assert set(kept["da"]) <= set(danish)
    assert set(kept["en"]) <= set(english)
    assert min(map(len, kept.values())) > 15


@pytest.mark.slow
def test_lists_learnt_from_nothing_are_cleaned_of_english() -> None:
    # A quarter of the pages of each country are in English, as in Stein 1997, section 4.3.
    pages = {
        code: [*write_sentences(code, 300), *write_sentences("en", 100, seed=10 + number)]
        for number, code in enumerate(("da", "fi", "en"))
    }
    result = train(collect(pages), None)
    for code in ("da", "fi"):
        before = count_words(pages[code])["the"]
        assert result.lists[code]["the"] < before / 10
    assert result.lists["en"]["the"] > 30
    assert result.languages["en"].kept > result.languages["en"].sentences
    truth = [(code, text) for code in pages for text in write_sentences(code, 100, seed=99)]
    right = sum(detect(text, model=result.model).language == code for code, text in truth)
    assert right / len(truth) >= 0.95


@pytest.mark.slow
def test_a_base_gains_the_words_of_the_crawl() -> None:
    jargon = [
        f"{sentence[:-1]} zworblkx {('qworpf', 'xelmky')[number % 2]}."
        for number, sentence in enumerate(write_sentences("da", 150))
    ]
    result = train(collect({"da": jargon, "nl": write_sentences("nl", 130)}), Model.load())
    assert {"zworblkx", "qworpf", "xelmky"} <= set(result.lists["da"])
    assert result.languages["da"].new_words >= 3
    assert result.after.texts == result.before.texts > 20
    assert result.after.accuracy >= result.before.accuracy
    text = "qworpf zworblkx xelmky"
    assert detect(text, model=result.model).language == "da"


@pytest.mark.slow
def test_a_language_that_the_base_lacks_is_learnt() -> None:
    result = train(collect({"vo": invent_sentences(200), "da": write_sentences("da", 150)}), Model.load())
    assert result.before.languages["vo"].accuracy == 0
    assert result.after.languages["vo"].accuracy > 0.9
    assert result.after.languages["da"].accuracy >= result.before.languages["da"].accuracy


@pytest.mark.slow
def test_rounds_end_when_nothing_changes_and_are_reported() -> None:
    reported: list[float] = []
    result = train(
        collect({"da": write_sentences("da", 150)}), Model.load(), rounds=9, progress=reported.append
    )
    assert len(result.rounds) < 9
    assert len(reported) == len(result.rounds)


@pytest.mark.slow
@pytest.mark.parametrize("base", [Model.load(), None], ids=["shipped", "nothing"])
def test_a_language_with_english_pages_is_not_learnt(base: Model | None) -> None:
    english = write_sentences("en", 1200)
    pages = {"en": english, "da": write_sentences("da", 120), "vo": [*english, *invent_sentences(120)]}
    result = train(collect(pages), base, rounds=1)
    assert list(result.languages) == ["da", "en"]
    assert list(result.left_out) == ["vo"]


def test_too_few_sentences_are_refused_or_left_out() -> None:
    some = collect({"da": write_sentences("da", 150), "fi": write_sentences("fi", 20)})
    result = train(some, Model.load(), rounds=1)
    assert result.left_out == {"fi": 20}
    assert list(result.languages) == ["da"]
    with pytest.raises(BadInput, match="too little to learn from"):
        train(SentenceSample({"fi": write_sentences("fi", 20)}), Model.load())
