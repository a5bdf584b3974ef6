"""Running text is distinguished from lists, tables, menus and headings."""

import pytest

from gossamer.net.html.document import Block, BlockKind
from gossamer.text.language import detect
from gossamer.text.language.detection.running_text import (
    BLOCK_WEIGHTS,
    TEXT_WEIGHTS,
    block_is_running,
    is_running,
    join_wrapped_lines,
)
from gossamer.text.language.detection.running_text_features import RunningTextWeights, extract_features
from gossamer.text.language.detection.running_text_features import weigh as weigh_plainly
from gossamer.text.language.detection.running_text_features_compiled import weigh

SENTENCES = [
    "The crawler waits until its host may be asked again, however many pages it still wants of it.",
    "Dies ist ein deutscher Satz, in dem einige Hauptwörter wie Haus und Garten vorkommen.",
    "Il est parti hier soir sans dire un mot à personne.",
    "Мы не знаем, когда он вернётся домой.",
    "这是一个简单的句子，说明了我们为什么需要分词。",
]
OTHERS = [
    "Home",
    "Contact | Imprint | Privacy Policy | Sitemap",
    "Science Technology Business Sports Arts Weather",
    "12:30 13:45 14:00 15:15 16:30",
    "Kapitel 4",
    "Smith, John; Miller, Anna; Brown, Peter; Jones, Mary",
    "",
    "  \n ",
]


def judge(text: str) -> bool:
    return is_running(text, sum(map(str.isalpha, text)), detect(text).zipf_share)


@pytest.mark.parametrize("text", SENTENCES)
def test_a_sentence_is_running_text(text: str) -> None:
    assert judge(text)


@pytest.mark.parametrize("text", OTHERS)
def test_a_list_or_menu_is_not_running_text(text: str) -> None:
    assert not judge(text)


def test_of_several_lines_the_majority_of_characters_decides() -> None:
    menu = "\n".join(OTHERS[:5])
    assert not judge(menu)
    assert judge("\n".join([*SENTENCES[:2], "Home", "Contact"]))
    assert not judge("\n".join(["Home of the Society", "Members and Friends", "News"] * 40 + SENTENCES[:1]))


WRAPPED = """Der Sammler wartet, bis er den Rechner wieder
fragen darf, und merkt sich alles, was er auf dem
Weg gesehen hat. Danach geht er zur nächsten
Seite, die noch nicht besucht worden ist.

Kapitel 2"""


def test_wrapped_lines_are_joined() -> None:
    assert judge(WRAPPED)
    first, *rest = join_wrapped_lines(WRAPPED)
    assert first == " ".join(WRAPPED.split("\n")[:4])
    assert rest == ["", "Kapitel 2"]
    menu = "Home\nAbout us\nContact"
    assert join_wrapped_lines(menu) == menu.split("\n")
    long = f"{'word ' * 40}\nHome"
    assert join_wrapped_lines(long) == long.split("\n")
    assert len(join_wrapped_lines("some words that are as wide as they can be, again\n" * 100_000)) == 2


@pytest.mark.parametrize(
    ("kind", "link_density", "running"),
    [("paragraph", 0.0, True), ("paragraph", 1.0, False), ("heading", 0.0, False)],
)
def test_kind_and_links_of_a_block_count(kind: BlockKind, link_density: float, running: bool) -> None:
    text = "Police arrest three men after a long chase through half of the old town"
    block = Block(text, kind, link_density, main=False)
    assert block_is_running(block, 0.5) is running


def test_zipf_words_count() -> None:
    text = "This is how the words of it go on " + 2 * "and on without any sense that one could see in them "
    letters = sum(map(str.isalpha, text))
    assert is_running(text, letters, 0.6)
    assert not is_running(text, letters, 0.05)


def test_a_long_list_of_words_is_not_running_text() -> None:
    words = "apple banana cherry grape lemon melon olive peach plum quince raisin walnut almond carrot onion leek "
    assert not judge(3 * words)
    assert not judge(2 * words.replace(" ", ", "))


def test_an_empty_text_has_all_features() -> None:
    assert (
        len(extract_features("", 0, 0.0))
        == len(extract_features(SENTENCES[0], 70, 0.3))
        == len(RunningTextWeights._fields)
    )


@pytest.mark.parametrize(
    "text", [*SENTENCES, *OTHERS, "\t\u3000 \u2028x. Y! z? ", "Ende.» ) ", "。。 ！a", "É. è! \x1f?"]
)
def test_compiled_and_plain_features_are_equal(text: str) -> None:
    letters = sum(map(str.isalpha, text))
    for weights in (TEXT_WEIGHTS, BLOCK_WEIGHTS):
        for many in (letters, 40 * letters):
            assert weigh(text, many, 0.3, weights) == pytest.approx(weigh_plainly(text, many, 0.3, weights))
