import pytest
from tests.unit.context.passages.webs import ADDRESSES, OVEN

from gossamer.errors import BadInput
from gossamer.web import Web


def test_a_page_is_read_in_parts(web: Web) -> None:
    read, at = "", 0
    while True:
        part = web.page_text(ADDRESSES[0], at, 50)
        read += part.text
        assert (part.offset, part.characters, part.is_cut) == (at, len(OVEN), False)
        if part.next_offset is None:
            break
        at = part.next_offset
    assert read == OVEN


def test_the_link_of_a_passage_names_its_page(web: Web) -> None:
    best = web.ask("baking bread").passages[0]
    assert web.page_text(best.link, best.offset).text.startswith(best.text)


@pytest.mark.parametrize(
    ("address", "offset", "characters", "sentence"),
    [
        ("https://nowhere.example/", 0, 10, "not in the index"),
        ("file:///etc/passwd", 0, 10, "not"),
        ("../../etc/passwd", 0, 10, "not"),
        ("http://[", 0, 10, "not the address"),
        (ADDRESSES[0], 10_000, 10, "not in it"),
        (ADDRESSES[0], 0, 50_000, "1 to 20,000"),
        (ADDRESSES[4], 0, 10, "does not allow copies"),
    ],
)
def test_what_cannot_be_read_gets_a_sentence(
    web: Web, address: str, offset: int, characters: int, sentence: str
) -> None:
    with pytest.raises(BadInput, match=sentence):
        web.page_text(address, offset, characters)
