"""Training a language model from a crawl: word lists by label, cleaned in rounds, mixed with the shipped ones.

Source: Stein 1997, sections 4.3 (lists from the pages of a country), 4.5 (from sentences only) and 4.7 (cleaned by the
recogniser itself; unknown words of a single language extend it).
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping

import msgspec

from gossamer.errors import BadInput
from gossamer.text.language.detection.detect_language import detect_many
from gossamer.text.language.model.model import Model
from gossamer.text.language.training.collect_sentences import SentenceSample
from gossamer.text.language.training.evaluate_model import Evaluation, evaluate
from gossamer.text.language.training.extend_model import extend_model, find_new_words
from gossamer.text.language.training.word_lists import count_words
from gossamer.text.language.verdict import Verdict

ROUNDS = 3
# With fewer sentences, a language would be recognised by the names on its few pages.
FEWEST_SENTENCES = 100
# In the Debian handbook, languages with a smaller share of own sentences have only their headings translated.
_LEAST_OWN = 0.1
# Rounds end early when they change this little: one sentence in a thousand.
_SETTLED = 0.001
LEAST_SHARE = 0.7
MOST_OF_SECOND = 0.1
"""Stein 1997, section 4.7: a sentence is kept if its language has at least 70 % and the second at most 10 %."""

Progress = Callable[[float], None]


class LanguageGain(msgspec.Struct, frozen=True):
    """The gain of training for one language."""

    pages: int
    """Pages labelled with it."""
    sentences: int
    """Their different sentences, without held-out pages."""
    kept: int
    """Sentences of all pages that are clearly in it, from which its list was made."""
    words: int
    """Different words of its list."""
    new_words: int
    """Those that the model did not have before."""


class TrainingResult(msgspec.Struct, frozen=True):
    """A trained model, and what training gained."""

    model: Model
    lists: dict[str, Counter[str]]
    languages: dict[str, LanguageGain]
    left_out: dict[str, int]
    """Languages with too few sentences to learn from, and their numbers."""
    rounds: list[int]
    """The number of sentences that each round kept."""
    before: Evaluation
    """The results for held-out sentences with the base model or, without one, with uncleaned lists."""
    after: Evaluation


def train(
    collected: SentenceSample,
    base: Model | None,
    rounds: int = ROUNDS,
    progress: Progress = lambda _: None,
) -> TrainingResult:
    """Train a model from the sentences of a crawl, mixed with a base model if there is one.

    Each round detects the languages of the sentences, keeps the clear ones and makes new lists from them. Cost: for each
    round, one detection for each sentence and two models; some minutes for a million sentences.
    """
    learnt = _choose_languages(collected, base)
    clear, kept = _clean_in_rounds(learnt, base, rounds, progress)
    lists = {code: count_words(some) for code, some in clear.items() if some}
    model = _build_model(lists, base)
    held_out = [(code, text) for code in learnt for text in collected.to_measure.get(code, ())]
    return TrainingResult(
        model,
        lists,
        _measure_gains(collected, clear, lists, find_new_words(base, model, lists) if base else lists),
        {code: len(some) for code, some in collected.to_learn.items() if code not in learnt},
        kept,
        evaluate(held_out, base or _build_first_model(learnt, None)),
        evaluate(held_out, model),
    )


def _clean_in_rounds(
    learnt: Mapping[str, list[str]], base: Model | None, rounds: int, progress: Progress
) -> tuple[dict[str, list[str]], list[int]]:
    """Clean sentences in rounds; return the clear ones by language, and the number that each round kept.

    Each half of the sentences is judged by a model of the other half: with its own words in the Danish list, an English
    sentence on a Danish page would look Danish in every round.
    """
    halves = [{code: some[start::2] for code, some in learnt.items()} for start in (0, 1)]
    sentences = [[sentence for some in half.values() for sentence in some] for half in halves]
    models = [_build_first_model(half, base) for half in halves]
    kept: list[int] = []
    for number in range(rounds):
        progress(number / rounds)
        halves = [sort_clear_sentences(sentences[at], learnt, models[1 - at]) for at in (0, 1)]
        kept.append(sum(len(some) for half in halves for some in half.values()))
        if number and abs(kept[-1] - kept[-2]) <= _SETTLED * kept[-2]:
            break
        if number + 1 < rounds:
            models = [
                _build_model({code: count_words(some) for code, some in half.items() if some}, base)
                for half in halves
            ]
    return {code: [*halves[0][code], *halves[1][code]] for code in learnt}, kept


def sort_clear_sentences(
    sentences: Iterable[str], languages: Collection[str], model: Model
) -> dict[str, list[str]]:
    """Sort sentences by detected language, without those in doubt or in none of the languages.

    The label of the page no longer matters: English sentences of German pages go to English.
    """
    kept: dict[str, list[str]] = {code: [] for code in languages}
    listed = list(sentences)
    for sentence, verdict in zip(listed, detect_many(listed, model=model), strict=True):
        if verdict.language in kept and is_clear(verdict):
            kept[verdict.language].append(sentence)
    return kept


def is_clear(verdict: Verdict) -> bool:
    """Say whether a verdict leaves no doubt."""
    shares = [candidate.share for candidate in verdict.candidates[:2]]
    return bool(shares) and shares[0] >= LEAST_SHARE and all(one <= MOST_OF_SECOND for one in shares[1:])


def _build_first_model(learnt: Mapping[str, list[str]], base: Model | None) -> Model:
    """Build the first model, from uncleaned sentences; a base is extended only by the languages it lacks."""
    known = base.languages if base else ()
    return _build_model({code: count_words(some) for code, some in learnt.items() if code not in known}, base)


def _build_model(lists: Mapping[str, Counter[str]], base: Model | None) -> Model:
    if base is None:
        return Model.from_lists(lists)
    return extend_model(base, lists) if lists else base


def _measure_gains(
    collected: SentenceSample,
    clear: Mapping[str, list[str]],
    lists: Mapping[str, Counter[str]],
    news: Mapping[str, Collection[str]],
) -> dict[str, LanguageGain]:
    return {
        code: LanguageGain(
            collected.pages.get(code, 0),
            len(collected.to_learn[code]),
            len(some),
            len(lists.get(code, ())),
            len(news.get(code, ())),
        )
        for code, some in clear.items()
    }


def _choose_languages(collected: SentenceSample, base: Model | None) -> dict[str, list[str]]:
    """Return the sentences of the languages that have enough of their own."""
    enough = {
        code: some
        for code, some in collected.to_learn.items()
        if len(some) >= FEWEST_SENTENCES and _is_translated(code, collected, base)
    }
    if not enough:
        raise BadInput(
            f"there is too little to learn from: no language has {FEWEST_SENTENCES} sentences on pages whose domain or "
            "marks name it"
        )
    return enough


def _is_translated(code: str, collected: SentenceSample, base: Model | None) -> bool:
    """Say whether the pages of a language that the base lacks are in it, and not in untranslated English.

    English occurs on pages of all languages (section 4.3), and would be recognised as the new language.
    """
    if code == "en" or (base is not None and code in base.languages):
        return True
    own, shared = collected.to_learn[code], collected.shared.get(code, 0)
    english = sum(verdict.language == "en" for verdict in detect_many(own, model=base)) if base else 0
    return len(own) >= _LEAST_OWN * (len(own) + shared) and 2 * english < len(own)
