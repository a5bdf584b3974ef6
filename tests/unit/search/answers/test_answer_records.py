import pytest

from gossamer.errors import BadInput
from gossamer.search.answers.answer_records import Wish, wish_from


def test_wishes_come_from_keywords() -> None:
    assert wish_from({"page": 2, "ranking": "cosine"}) == Wish(page=2, ranking="cosine")


@pytest.mark.parametrize(
    ("told", "said"),
    [
        ({"ranking": "luck"}, "pages are ranked by bm25 or by cosine, not by 'luck'"),
        ({"page": 0}, "page"),
        ({"size": 5_000}, "size"),
        ({"sise": 5}, "sise"),
    ],
)
def test_what_is_no_wish_is_refused(told: dict[str, object], said: str) -> None:
    with pytest.raises(BadInput, match=said):
        wish_from(told)
