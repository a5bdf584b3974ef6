from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.unit.search.texts import entry
from tests.unit.search.webs import make_page

from gossamer.net.url import page_id
from gossamer.search.answers.answer_query import search
from gossamer.search.index.search_index import Index
from gossamer.search.links.static_rank import make_ranks
from gossamer.search.query.template_targets import find_template_targets
from gossamer.store.batch import KIND_OF_TYPE, Batch, LinkColumns
from gossamer.store.links.template_marks import read_template_marks
from gossamer.store.sqlite.sqlite_store import SqliteStore

Web = tuple[Index, SqliteStore]
TEMPLATE = ["", "licence", "disclaimer"]
GROUP = 6


def url(path: str) -> str:
    return f"https://a.example/{path}"


def list_targets(number: int, linked_in_text: int = 3) -> list[str]:
    """Return what an article links to: the template, the next articles of its group, and between them a page that all name."""
    group = number // GROUP
    inside = [f"article{group * GROUP + (number + step) % GROUP}" for step in range(1, linked_in_text + 1)]
    return [*TEMPLATE, *inside[: number % 2 + 1], "glossary", *inside[number % 2 + 1 :]]


@pytest.fixture(scope="module", params=[12, 90], ids=["few pages", "a sample of many"])
def web(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Web]:
    """Articles in groups that link to each other, a list of them, and a template that links to three pages."""
    store = SqliteStore(Path(tmp_path_factory.mktemp("site")) / "state.sqlite", create=True)
    links = {f"article{number}": list_targets(number) for number in range(request.param)}
    links |= dict.fromkeys([*TEMPLATE, "glossary"], TEMPLATE) | {"list": [*TEMPLATE, *links]}
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
    counts = Counter(target for targets in links.values() for target in targets)
    index.set_ranks(
        make_ranks(
            [page.id for page in pages], [1 / len(pages)] * len(pages), [counts[page.title] for page in pages]
        )
    )
    yield index, store
    store.close()


def test_targets_of_template_links_are_found(web: Web) -> None:
    assert find_template_targets(*web, ["a.example"]) == {page_id(url(path)) for path in TEMPLATE}


def test_a_host_with_few_pages_has_no_template(web: Web) -> None:
    index = Index()
    writer = index.writer()
    for path in ("article1", "article2", "article3"):
        writer.add(entry(page_id(url(path)), host="a.example", date_s=0.0, depth=0))
    writer.commit()
    assert find_template_targets(index, web[1], ["a.example", "unknown.example"]) == set()


def test_a_page_that_all_pages_link_to_in_their_text_is_no_template(web: Web) -> None:
    """On 90 pages a sample is judged: it has the marks of all pages."""
    marks = read_template_marks(web[1])
    article = page_id(url("article1"))
    targets = [link.target for link in web[1].links_from(article)]
    assert page_id(url("glossary")) in targets
    found = find_template_targets(*web, ["a.example"])
    assert [target in found for target in targets] == marks.of_page(article).tolist()


def test_similar_pages_are_neither_those_of_the_template_nor_lists_nor_named_by_all(web: Web) -> None:
    found = [answer.title for answer in search(web[0], f"related:{url('article1')}", store=web[1]).answers]
    assert set(found[:4]) <= {f"article{number}" for number in (0, 2, 3, 4, 5)}
    assert not set(found) & set(TEMPLATE)


def test_a_page_of_the_template_has_similar_pages_itself(web: Web) -> None:
    assert search(web[0], f"related:{url('licence')}", store=web[1]).total > 0
