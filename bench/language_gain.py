"""Measure what a recogniser gains by learning from technical texts whose words the shipped lists lack.

    python bench/language_gain.py [--json]

The texts are Debian's guides. Every fifth page is held out, as in all training, and its sentences are measured against
the label of the page. Pairs of neighbouring words, and single words, come from sentences for which the shipped model
agrees with the label.
"""

import sys
from collections.abc import Iterator

from command_line import run_benchmark
from gossamer.net.main_text.sentences import sentences
from gossamer.text.language import Model, detect_many
from gossamer.text.language.training.collect_sentences import SentenceCollector, SentenceSample
from gossamer.text.language.training.evaluate_model import evaluate
from gossamer.text.language.training.page_labels import Label
from gossamer.text.language.training.train_model import train
from guides import read_guides

_LANGUAGES = {"ca", "cs", "da", "en", "es", "hr", "id", "it", "nb", "nl", "pl", "ro", "sv", "tr"}
# One pair in this many is measured.
_STEP = 6
_SHORTEST = 3


def measure() -> dict[str, float]:
    """Return mean accuracies in percent, before and after; nothing where the guides are not installed."""
    collector = SentenceCollector()
    for number, page in enumerate(read_guides(_LANGUAGES)):
        collector.add(Label(page.language, True), number, sentences(page.text))
    collected = collector.to_sample()
    if not collected.to_learn:
        print("no guides are installed: see PACKAGES in bench/guides.py", file=sys.stderr)
        return {}
    base = Model.load()
    trained = train(collected, base)
    pairs = list(_list_pairs(collected, base))
    words = [(code, pair.split()[0]) for code, pair in pairs]
    return {
        "language_gain.sentences_before": 100 * trained.before.macro_accuracy,
        "language_gain.sentences_after": 100 * trained.after.macro_accuracy,
        "language_gain.pairs_before": 100 * evaluate(pairs, base).macro_accuracy,
        "language_gain.pairs_after": 100 * evaluate(pairs, trained.model).macro_accuracy,
        "language_gain.words_before": 100 * evaluate(words, base).macro_accuracy,
        "language_gain.words_after": 100 * evaluate(words, trained.model).macro_accuracy,
    }


def _list_pairs(collected: SentenceSample, base: Model) -> Iterator[tuple[str, str]]:
    for code, some in collected.to_measure.items():
        for sentence, verdict in zip(some, detect_many(some, model=base), strict=True):
            if verdict.language == code:
                bare = [word.strip('.,;:()"') for word in sentence.split()]
                words = [word for word in bare if word.isalpha() and len(word) >= _SHORTEST]
                yield from ((code, " ".join(words[at : at + 2])) for at in range(0, len(words) - 1, _STEP))


if __name__ == "__main__":
    sys.exit(run_benchmark("language_gain", measure, "--json" in sys.argv[1:]))
