import pytest
from tests.unit.search.texts import entry

from gossamer.search.index.search_index import Index
from gossamer.search.query.compile_query import CompiledQuery
from gossamer.search.query.parse_query import parse


@pytest.fixture(scope="module")
def index() -> Index:
    """Three hundred English pages, one Arabic page, and one in an unknown language."""
    index = Index()
    writer = index.writer()
    for number in range(300):
        writer.add(entry(number, title="Kettles", main="the kettles of the kitchen", language="en"))
    arabic = "الموسيقى العربية الكلاسيكية وتاريخها"
    writer.add(entry(300, title=arabic, main=f"{arabic} في العالم العربي", language="ar"))
    writer.add(entry(301, title="Glossolalia", main="kettlesque wordings", language=""))
    writer.commit()
    return index


@pytest.mark.parametrize(
    ("query", "languages", "pages"),
    [
        ("kettle", ("en",), 300),
        ("العربية", ("en", "ar"), 1),
        ("title:الموسيقى", ("en",), 1),
        ("kettle OR (العربية AND الموسيقى)", ("en", "ar"), 301),
        ('"العالم العربي"', ("en", "ar"), 1),
        ("wordings", ("en", ""), 1),
        ("nothing", ("en",), 0),
        ("kettle -العربية", ("en",), 300),
    ],
)
def test_the_words_of_a_small_language_are_found(
    index: Index, query: str, languages: tuple[str, ...], pages: int
) -> None:
    compiled = CompiledQuery(parse(query), index)
    assert compiled.languages == languages
    assert index.searcher.search(compiled.query).count == pages
