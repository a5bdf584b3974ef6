"""Costs of words are found in their packed form as in a dict."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gossamer.search.terms.word_frequencies import WordCosts, pack_costs, read_word_costs

WORDS = st.text("abcß日 ", max_size=6)


@given(st.dictionaries(WORDS, st.integers(0, 700)), st.lists(WORDS))
def test_words_are_found_as_in_a_dict(costs: dict[str, int], others: list[str]) -> None:
    found = WordCosts(pack_costs(costs))
    words = [*costs, *others]
    assert [found.get(word) for word in words] == [costs.get(word) for word in words]
    assert [word in found for word in words] == [word in costs for word in words]
    assert list(found) == list(costs)
    assert len(found) == len(costs)
    assert found.get("", 7) == costs.get("", 7)


@pytest.mark.parametrize("cut", [slice(0), slice(10), slice(-1), slice(1, None)])
def test_only_packed_costs_are_read(cut: slice) -> None:
    with pytest.raises(ValueError, match="list of words"):
        WordCosts(pack_costs({"one": 1, "two": 2})[cut])


def test_frequent_words_cost_less() -> None:
    costs = read_word_costs("en")
    assert len(costs) > 20_000
    assert 0 < costs.get("the", 0) < costs.get("crawler", 700)


def test_a_language_without_a_list_has_no_words() -> None:
    assert len(read_word_costs("xx")) == 0
