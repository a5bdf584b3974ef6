"""A model trained from a crawl: lists by country and mark, cleaned in rounds, mixed with the shipped ones.

Source: seed 003, sections 4.3 (lists from the pages of a country), 4.5 (of sentences only) and 4.7 (cleaned by the
recogniser itself; unknown words that one language alone has extend it).
"""

from collections import Counter
from collections.abc import Callable, Collection, Mapping

import msgspec

from gossamer.errors import BadInput
from gossamer.text.language.detection.detect_language import detect_many
from gossamer.text.language.model.model import Model
from gossamer.text.language.training.clean_sentences import cleaned
from gossamer.text.language.training.collect_sentences import Collected
from gossamer.text.language.training.evaluate_model import Evaluation, evaluate
from gossamer.text.language.training.extend_model import extended, new_words
from gossamer.text.language.training.word_lists import counted

ROUNDS = 3
# A language of which there is less would be known by the names on its few pages.
FEWEST_SENTENCES = 100
# Of the Debian handbook, languages with fewer sentences of their own have nothing but headings translated.
_LEAST_OWN = 0.1
# Rounds end early when they change so little: one sentence of a thousand.
_SETTLED = 0.001

Progress = Callable[[float], None]


class LanguageGain(msgspec.Struct, frozen=True):
    """What training did for one language."""

    pages: int
    """Pages said to be in it."""
    sentences: int
    """Their sentences, each once, without those kept back."""
    kept: int
    """Sentences of all pages that are clearly in it: what its list was made of."""
    words: int
    """Different words of its list."""
    new_words: int
    """Those of them that the model did not have before."""


class Trained(msgspec.Struct, frozen=True):
    """A model, and what training gained."""

    model: Model
    lists: dict[str, Counter[str]]
    languages: dict[str, LanguageGain]
    left_out: dict[str, int]
    """Languages with too few sentences to learn, and how many they have."""
    rounds: list[int]
    """How many sentences each round kept."""
    before: Evaluation
    """How the sentences that were kept back fared: with the shipped model, or with lists that nobody has cleaned."""
    after: Evaluation


def train(
    collected: Collected,
    base: Model | None,
    rounds: int = ROUNDS,
    progress: Progress = lambda _: None,
) -> Trained:
    """Make a model of the sentences of a crawl, mixed with a base; without a base, of the sentences alone.

    Each round recognises the sentences, keeps the clear ones and makes new lists of them. Cost: for each round one look
    at each sentence and two models; for a million sentences some minutes.
    """
    learnt = _enough(collected, base)
    clear, kept = _cleaned(learnt, base, rounds, progress)
    lists = {code: counted(some) for code, some in clear.items() if some}
    model = _modelled(lists, base)
    held_out = [(code, text) for code in learnt for text in collected.to_measure.get(code, ())]
    return Trained(
        model,
        lists,
        _gains(collected, clear, lists, new_words(base, model, lists) if base else lists),
        {code: len(some) for code, some in collected.to_learn.items() if code not in learnt},
        kept,
        evaluate(held_out, base or _first(learnt, None)),
        evaluate(held_out, model),
    )


def _cleaned(
    learnt: Mapping[str, list[str]], base: Model | None, rounds: int, progress: Progress
) -> tuple[dict[str, list[str]], list[int]]:
    """Clean sentences in rounds; return the clear ones by language, and how many each round kept.

    Half of the sentences is recognised by what was made of the other half: with its own words in the list of its
    page's country, an English sentence on a Danish page would seem Danish for ever.
    """
    halves = [{code: some[start::2] for code, some in learnt.items()} for start in (0, 1)]
    sentences = [[sentence for some in half.values() for sentence in some] for half in halves]
    models = [_first(half, base) for half in halves]
    kept: list[int] = []
    for number in range(rounds):
        progress(number / rounds)
        halves = [cleaned(sentences[at], learnt, models[1 - at]) for at in (0, 1)]
        kept.append(sum(len(some) for half in halves for some in half.values()))
        if number and abs(kept[-1] - kept[-2]) <= _SETTLED * kept[-2]:
            break
        if number + 1 < rounds:
            models = [
                _modelled({code: counted(some) for code, some in half.items() if some}, base)
                for half in halves
            ]
    return {code: [*halves[0][code], *halves[1][code]] for code in learnt}, kept


def _first(learnt: Mapping[str, list[str]], base: Model | None) -> Model:
    """Make the model of sentences that nobody has cleaned; of a base, only what it lacks is made of them."""
    known = base.languages if base else ()
    return _modelled({code: counted(some) for code, some in learnt.items() if code not in known}, base)


def _modelled(lists: Mapping[str, Counter[str]], base: Model | None) -> Model:
    if base is None:
        return Model.from_lists(lists)
    return extended(base, lists) if lists else base


def _gains(
    collected: Collected,
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


def _enough(collected: Collected, base: Model | None) -> dict[str, list[str]]:
    """Return the sentences of the languages that have enough of them."""
    enough = {
        code: some
        for code, some in collected.to_learn.items()
        if len(some) >= FEWEST_SENTENCES and _is_itself(code, collected, base)
    }
    if not enough:
        raise BadInput(
            f"there is too little to learn from: no language has {FEWEST_SENTENCES} sentences on pages whose domain or "
            "marks say that they are in it"
        )
    return enough


def _is_itself(code: str, collected: Collected, base: Model | None) -> bool:
    """Say of a language that the base lacks whether its pages are in it, or in English that nobody has translated.

    English stands on everybody's pages (section 4.3): it would be taken for the language ever after.
    """
    if code == "en" or (base is not None and code in base.languages):
        return True
    own, shared = collected.to_learn[code], collected.shared.get(code, 0)
    english = sum(verdict.language == "en" for verdict in detect_many(own, model=base)) if base else 0
    return len(own) >= _LEAST_OWN * (len(own) + shared) and 2 * english < len(own)
