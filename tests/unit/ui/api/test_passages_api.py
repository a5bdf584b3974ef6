from pathlib import Path

import msgspec
import pytest
from tests.unit.ui.conftest import GetPage

from gossamer.context.passages.passage_records import Passages
from gossamer.web import Web


def test_the_api_gives_the_same_passages_as_python(get_page: GetPage, library: Path) -> None:
    with Web(library) as web:
        expected = web.ask("how many symphonies did Haydn write", passages=3, words=40)
    reply = get_page("/api/passages?q=how+many+symphonies+did+Haydn+write&passages=3&words=40")
    assert reply.headers["content-type"] == "application/json"
    found = msgspec.json.decode(reply.body, type=Passages)
    assert [(one.url, one.offset, one.text) for one in found.passages] == [
        (one.url, one.offset, one.text) for one in expected.passages
    ]
    assert found.passages


@pytest.mark.parametrize(
    "address",
    [
        "/api/passages",
        "/api/passages?q=",
        "/api/passages?q=haydn&words=5",
        "/api/passages?q=haydn&passages=1000",
        "/api/passages?q=haydn&language=tlh",
        "/api/passages?q=haydn&unknown=1",
    ],
)
def test_wrong_parameters_get_a_sentence(get_page: GetPage, address: str) -> None:
    reply = get_page(address)
    assert reply.status == 400
    assert set(msgspec.json.decode(reply.body)) == {"error"}
