from tests.unit.search.texts import entry

from gossamer.search.index.search_index import Index
from gossamer.search.query.compile_query import CompiledQuery
from gossamer.search.query.parse_query import parse
from gossamer.search.ranking.rerank import rank_pages


def test_typical_terms_of_the_best_pages_rank_the_others() -> None:
    index = Index()
    writer = index.writer()
    about = ["jaguar cat jungle prey", "jaguar cat jungle prey spots", "jaguar car motor", "jaguar cat prey"]
    for number, text in enumerate(about + [f"other {number} words" for number in range(20)]):
        writer.add(entry(number, main=text, language="en"))
    writer.commit()
    query = CompiledQuery(parse("jaguar"), index)
    plain, better = (
        index.read_numbers("id", [hit.place for hit in rank_pages(index, query, 4, feedback)])
        for feedback in (False, True)
    )
    assert plain[0] in (2, 3)
    assert sorted(better) == [0, 1, 2, 3]
    assert better[-1] == 2
