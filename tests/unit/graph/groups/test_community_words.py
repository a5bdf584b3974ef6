import numpy as np

from gossamer.graph.groups.community_words import find_typical_words


def test_typical_words_are_rare_in_other_communities() -> None:
    labels = np.array([0, 0, 0, 1, 1], np.int32)
    titles = [
        "The garden: roses",
        "The roses of Trier",
        "More roses",
        "The engine",
        "An engine of the ship 42",
    ]
    assert find_typical_words(labels, range(5), titles, most=1) == [["roses"], ["engine"]]
    assert find_typical_words(labels, [3], ["engine"], most=2) == [[], ["engine"]]
