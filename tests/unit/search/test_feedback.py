from tests.unit.search.texts import entry

from gossamer.search.clauses import Asked
from gossamer.search.feedback import widened
from gossamer.search.index import Index
from gossamer.search.query import parse


def test_words_of_the_best_pages_rank_the_others() -> None:
    index = Index()
    writer = index.writer()
    about = ["jaguar cat jungle prey", "jaguar cat jungle prey spots", "jaguar car motor", "jaguar cat prey"]
    for number, text in enumerate(about + [f"other {number} words" for number in range(20)]):
        writer.add(entry(number, main=text, language="en"))
    writer.commit()
    asked = Asked(parse("jaguar"), index)
    plain = [place for _, place in index.searcher.search(asked.query, 4).hits]
    assert index.numbers("id", plain)[0] in (2, 3)
    better = [place for _, place in index.searcher.search(widened(index, asked.query, 1), 4).hits]
    assert sorted(index.numbers("id", better)) == [0, 1, 2, 3]
    assert index.numbers("id", better)[-1] == 2
