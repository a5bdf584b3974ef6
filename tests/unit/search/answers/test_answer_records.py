import pytest

from gossamer.errors import BadInput
from gossamer.search.answers.answer_records import SearchOptions, read_options


def test_options_come_from_keywords() -> None:
    assert read_options({"page": 2, "ranking": "cosine"}) == SearchOptions(page=2, ranking="cosine")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"ranking": "luck"}, "ranking must be bm25 or cosine, not 'luck'"),
        ({"page": 0}, "page"),
        ({"size": 5_000}, "size"),
        ({"sise": 5}, "sise"),
    ],
)
def test_wrong_options_are_refused(options: dict[str, object], message: str) -> None:
    with pytest.raises(BadInput, match=message):
        read_options(options)
