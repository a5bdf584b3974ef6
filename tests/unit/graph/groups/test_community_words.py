import numpy as np

from gossamer.graph.groups.community_words import drop_repeated_words, find_typical_words


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


def test_a_page_with_many_links_does_not_name_its_community() -> None:
    labels = np.array([0, 0, 0, 1, 1], np.int32)
    titles = ["Licence", "Roses", "Roses", "Engines", "Engines"]
    links = ["gnu licence"] * 50
    words = find_typical_words(labels, [*range(5), *[0] * 50], [*titles, *links], most=1, titles=5)
    assert words == [["roses"], ["engines"]]


def test_words_of_links_that_no_title_has_say_nothing() -> None:
    labels = np.array([0] * 12 + [1] * 3, np.int32)
    titles = ["Roses"] * 12 + ["Engines"] * 3
    nodes, texts = [*range(15), *range(12)], [*titles, *["here"] * 12]
    assert find_typical_words(labels, nodes, texts, titles=15) == [["roses"], ["engines"]]
    assert "here" in find_typical_words(labels, nodes, texts)[0]
    nodes, texts = [*range(15), *range(4)], [*titles, *["nextb"] * 4]
    assert find_typical_words(labels, nodes, texts, titles=15) == [["roses"], ["engines"]]


def test_words_that_most_titles_of_a_host_have_are_dropped() -> None:
    hosts = np.array([0] * 10 + [1] * 2, np.int32)
    titles = [f"Page{'abcdefghij'[number] * 3} - The Manual" for number in range(10)] + ["A Ship", "A Ship"]
    left = drop_repeated_words(titles, hosts)
    assert left[:2] == ["pageaaa", "pagebbb"]
    assert left[10:] == ["ship", "ship"]
    assert drop_repeated_words(["The Manual"] * 10, hosts[:10]) == ["The Manual"] * 10
