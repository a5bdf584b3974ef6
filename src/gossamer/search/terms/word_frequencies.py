"""How rare the words of a language are, by the lists of the package wordfreq if it is installed."""

import gzip
from functools import cache
from importlib.util import find_spec
from pathlib import Path

import msgspec

_LIST = "data/small_{}.msgpack.gz"

Costs = dict[str, int]
"""By word in lower case: its rarity in centibels. A word that occurs once in a million has 600, the highest."""
MOST_COST = 700
"""The rarity of words that no list has."""


@cache
def read_word_costs(language: str) -> Costs:
    """Return some forty thousand words of a language; none if there is no list. Cost: 30 ms once."""
    package = find_spec("wordfreq")  # located, not imported: importing takes a quarter of a second
    if package is None or package.origin is None:
        return {}
    path = Path(package.origin).parent / _LIST.format(language)
    if not path.is_file():
        return {}
    # The file has one list of words for each centibel, the most frequent first.
    _, *levels = msgspec.msgpack.decode(gzip.decompress(path.read_bytes()))
    return {word: cost for cost, words in enumerate(levels) for word in words}
