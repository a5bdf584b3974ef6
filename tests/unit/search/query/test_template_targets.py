from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.unit.search.texts import entry
from tests.unit.search.webs import make_page

from gossamer.net.url import page_id
from gossamer.search.answers.answer_query import search
from gossamer.search.index.search_index import Index
from gossamer.search.query.template_targets import find_template_targets
from gossamer.store.batch import KIND_OF_TYPE, Batch, LinkColumns
from gossamer.store.sqlite.sqlite_store import SqliteStore

Web = tuple[Index, SqliteStore]
TEMPLATE = ["", "licence", "disclaimer"]
GROUP = 6


def url(path: str) -> str:
    return f"https://a.example/{path}"


def list_targets(number: int, linked_in_text: int = 3) -> list[str]:
    """Return what an article links to: the template, and the next articles of its group."""
    group = number // GROUP
    inside = [group * GROUP + (number + step) % GROUP for step in range(1, linked_in_text + 1)]
    return [*TEMPLATE, *(f"article{one}" for one in inside)]


@pytest.fixture(scope="module", params=[12, 90], ids=["few pages", "a sample of many"])
def web(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Web]:
    """Articles in groups that link to each other, a list of them, and a template that links to three pages."""
    store = SqliteStore(Path(tmp_path_factory.mktemp("site")) / "state.sqlite", create=True)
    links = {f"article{number}": list_targets(number) for number in range(request.param)}
    links |= dict.fromkeys(TEMPLATE, TEMPLATE) | {"list": [*TEMPLATE, *links]}
    rows = [
        LinkColumns(
            page_id(url(source)),
            [page_id(url(target)) for target in targets],
            bytes([KIND_OF_TYPE["a"]] * len(targets)),
            ["text"] * len(targets),
        )
        for source, targets in links.items()
    ]
    pages = [make_page(url(path), path) for path in links]
    store.commit(Batch(links=rows, pages=pages, known=[(page.id, page.url) for page in pages]))
    index = Index()
    writer = index.writer()
    for page in pages:
        facts = {"url": page.url, "host": "a.example", "title": page.title, "main": f"all {page.title}"}
        writer.add(entry(page.id, **facts, date_s=0.0, depth=0))
    writer.commit()
    yield index, store
    store.close()


def test_targets_of_most_pages_are_found(web: Web) -> None:
    assert find_template_targets(*web, ["a.example"]) == {page_id(url(path)) for path in TEMPLATE}


def test_a_host_with_few_pages_has_no_template(web: Web) -> None:
    index = Index()
    writer = index.writer()
    for path in ("article1", "article2", "article3"):
        writer.add(entry(page_id(url(path)), host="a.example", date_s=0.0, depth=0))
    writer.commit()
    assert find_template_targets(index, web[1], ["a.example", "unknown.example"]) == set()


def test_similar_pages_are_neither_those_of_the_template_nor_lists(web: Web) -> None:
    found = [answer.title for answer in search(web[0], f"related:{url('article1')}", store=web[1]).answers]
    assert set(found[:4]) <= {f"article{number}" for number in (0, 2, 3, 4, 5)}
    assert not set(found) & set(TEMPLATE)


def test_a_page_of_the_template_has_similar_pages_itself(web: Web) -> None:
    assert search(web[0], f"related:{url('licence')}", store=web[1]).total > 0
