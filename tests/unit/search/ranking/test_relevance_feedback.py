from tests.unit.search.texts import entry

from gossamer.search.index.search_index import Index
from gossamer.search.query.compile_query import Asked
from gossamer.search.query.parse_query import parse
from gossamer.search.ranking.rerank import ranked


def test_words_of_the_best_pages_rank_the_others() -> None:
    index = Index()
    writer = index.writer()
    about = ["jaguar cat jungle prey", "jaguar cat jungle prey spots", "jaguar car motor", "jaguar cat prey"]
    for number, text in enumerate(about + [f"other {number} words" for number in range(20)]):
        writer.add(entry(number, main=text, language="en"))
    writer.commit()
    asked = Asked(parse("jaguar"), index)
    plain, better = (
        index.numbers("id", [hit.place for hit in ranked(index, asked, 4, feedback)])
        for feedback in (False, True)
    )
    assert plain[0] in (2, 3)
    assert sorted(better) == [0, 1, 2, 3]
    assert better[-1] == 2
