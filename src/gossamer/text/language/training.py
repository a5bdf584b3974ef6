"""A model trained from a crawl: lists by country and mark, cleaned in rounds, mixed with the shipped ones.

Source: seed 003, sections 4.3 (lists from the pages of a country), 4.5 (of sentences only) and 4.7 (cleaned by the
recogniser itself; unknown words that one language alone has extend it).
"""

from collections import Counter
from collections.abc import Callable, Mapping

import msgspec

from gossamer.errors import BadInput
from gossamer.text.language.cleaning import cleaned
from gossamer.text.language.collecting import Collected
from gossamer.text.language.evaluating import Evaluation, evaluate
from gossamer.text.language.extending import extended, new_words
from gossamer.text.language.model import Model
from gossamer.text.language.word_lists import counted

ROUNDS = 3
# A language of which there is less would be known by the names on its few pages.
FEWEST_SENTENCES = 100
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
    """Those of them that no list had before."""


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

    Each round recognises all sentences with the last model, keeps the clear ones and makes new lists of them. Cost:
    for each round one look at each sentence and a model; for a million sentences some minutes.
    """
    learnt = _enough(collected.to_learn)
    first = _modelled({code: counted(sentences) for code, sentences in learnt.items()}, base, is_first=True)
    model, lists = first, dict[str, Counter[str]]()
    sentences = [sentence for some in learnt.values() for sentence in some]
    kept: list[int] = []
    clear: dict[str, list[str]] = {}
    for number in range(rounds):
        progress(number / rounds)
        clear = cleaned(sentences, learnt, model)
        kept.append(sum(map(len, clear.values())))
        lists = {code: counted(some) for code, some in clear.items() if some}
        model = _modelled(lists, base)
        if number and abs(kept[-1] - kept[-2]) <= _SETTLED * kept[-2]:
            break
    known = base or first
    held_out = [(code, text) for code in learnt for text in collected.to_measure.get(code, ())]
    news = new_words(base, model, lists) if base else lists
    gains = {
        code: LanguageGain(
            collected.pages.get(code, 0),
            len(learnt[code]),
            len(clear[code]),
            len(lists.get(code, ())),
            len(news.get(code, ())),
        )
        for code in learnt
    }
    few = {code: len(some) for code, some in collected.to_learn.items() if code not in learnt}
    return Trained(model, lists, gains, few, kept, evaluate(held_out, known), evaluate(held_out, model))


def _enough(to_learn: Mapping[str, list[str]]) -> dict[str, list[str]]:
    enough = {code: some for code, some in to_learn.items() if len(some) >= FEWEST_SENTENCES}
    if not enough:
        raise BadInput(
            f"there is too little to learn from: no language has {FEWEST_SENTENCES} sentences on pages whose domain or "
            "marks say that they are in it"
        )
    return enough


def _modelled(lists: Mapping[str, Counter[str]], base: Model | None, is_first: bool = False) -> Model:
    """Make a model of lists; the first, if there is a base, is the base itself with the languages that it lacks."""
    if base is None:
        return Model.from_lists(lists)
    wanted = {code: words for code, words in lists.items() if not is_first or code not in base.languages}
    return extended(base, wanted) if wanted else base
