"""Words, topics and sentences of every language."""

import sys
from collections import Counter
from itertools import pairwise

import pytest

from gossamer.errors import BadInput, MissingExtra
from gossamer.lab.world.world import World
from gossamer.lab.writing.phrases import LANGUAGES, NOTICES
from gossamer.lab.writing.sentences import capitalise, make_halves
from gossamer.lab.writing.topic_words import TOPICS
from gossamer.lab.writing.vocabulary import (
    DRAW_SIZE,
    TOPIC_DRAW_SIZE,
    TOPIC_WORDS,
    build_topic_table,
    check_installed,
    draw_numbers,
    fill_table,
    list_topic_words,
    load_lexicon,
)


def test_numbers_follow_from_their_parts_alone() -> None:
    assert draw_numbers(3, "a", 1) == draw_numbers(3, "a", 1)
    assert draw_numbers(3, "a", 1) == draw_numbers(5, "a", 1)[:3]
    assert draw_numbers(3, "a", 1) != draw_numbers(3, "a", 2)
    assert draw_numbers(3, "golden", 7) == (16970, 3376, 64388)  # worlds must not change between releases


def test_numbers_are_uniform() -> None:
    counts = Counter(number >> 12 for number in draw_numbers(16_000, "even"))
    assert len(counts) == 16
    assert all(850 < count < 1150 for count in counts.values())


def test_a_table_gives_each_word_its_share() -> None:
    table = fill_table({"often": 3.0, "seldom": 1.0}, 8)
    assert table == ("often",) * 6 + ("seldom",) * 2


def test_english_words_follow_the_law_of_zipf() -> None:
    draw = load_lexicon("en").draw
    assert len(draw) == DRAW_SIZE
    counts = Counter(draw)
    assert [word for word, _ in counts.most_common(5)] == ["the", "to", "and", "of", "a"]
    assert len(counts) > 10_000


@pytest.mark.parametrize(
    ("language", "word"), [("de", "nicht"), ("ru", "что"), ("el", "της"), ("zh", "我们")]
)
def test_common_words_exist(language: str, word: str) -> None:
    assert word in load_lexicon(language).ranked[:200]


def test_words_are_letters_of_the_language() -> None:
    assert all(word.isalpha() for word in load_lexicon("de").ranked)
    assert not any(word.isascii() for word in load_lexicon("el").ranked)
    assert not any(word.endswith("σ") for word in load_lexicon("el").ranked)


@pytest.mark.parametrize("topic", TOPICS)
@pytest.mark.parametrize("language", ["en", "de"])
def test_topics_start_with_their_hand_written_words(topic: str, language: str) -> None:
    written = TOPICS[topic][language].split()
    words = list_topic_words(topic, language)
    assert 30 <= len(written) == len(set(written)) <= 40
    assert words[: len(written)] == tuple(written)
    assert len(words) == len(set(words)) == TOPIC_WORDS
    assert set(build_topic_table(topic, language)) == set(words)
    assert len(build_topic_table(topic, language)) == TOPIC_DRAW_SIZE


def test_topics_of_a_language_hardly_overlap() -> None:
    for topic, other in pairwise(TOPICS):
        assert len(set(list_topic_words(topic, "fr")) & set(list_topic_words(other, "fr"))) < 8


def test_an_unknown_language_is_an_error_that_lists_the_available_ones() -> None:
    with pytest.raises(BadInput, match=r"no language 'xx': use one of ar, cs"):
        load_lexicon("xx")
    with pytest.raises(BadInput, match=r"no topic 'knitting': use one of astronomy"):
        list_topic_words("knitting", "en")
    with pytest.raises(BadInput, match="language 'xx'"):
        list_topic_words("music", "xx")


def test_without_word_lists_the_error_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "wordfreq", None)
    with pytest.raises(MissingExtra, match=r"gossamer\[lab\]"):
        check_installed()


def test_every_language_has_its_phrases() -> None:
    assert len(LANGUAGES) >= 12
    for language in LANGUAGES.values():
        assert len(language.notices) == len(NOTICES)
        assert len(language.here) >= 3
        assert len(set(language.notices)) == len(NOTICES)


def test_sentences_start_with_a_capital_and_end_with_punctuation() -> None:
    pool = make_halves("de")
    assert all(first[0].isupper() for first in pool.first)
    assert all(second[0] in ", " and second[-1] in ".?!" for second in pool.second)
    assert capitalise("istanbul", "tr") == "İstanbul"
    assert capitalise("istanbul", "en") == "Istanbul"


def test_sentences_of_languages_without_spaces_have_none() -> None:
    assert not any(" " in half for half in (*make_halves("zh").first, *make_halves("zh").second))


def test_sentences_about_a_topic_have_their_share_of_topic_words() -> None:
    special = set(list_topic_words("sailing", "en"))
    words = " ".join(make_halves("en", "sailing", 0.4).first).split()
    # The capital of a sentence hides a few topic words; general sentences contain some by chance.
    assert 0.33 < sum(word in special for word in words) / len(words) < 0.45


def test_a_world_without_word_lists_is_refused_before_it_is_served(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "wordfreq", None)
    with pytest.raises(MissingExtra, match=r"gossamer\[lab\]"):
        World(seed=7, hosts=2, pages=4)
