import pytest

from gossamer.errors import BadInput
from gossamer.order.order_expression import WeightedTerm, parse_order


def test_an_order_is_one_name_or_several_with_weights() -> None:
    assert parse_order("topic") == (WeightedTerm("topic", 1.0),)
    assert parse_order("topic + 0.3*authority") == (
        WeightedTerm("topic", 1.0),
        WeightedTerm("authority", 0.3),
    )
    assert parse_order("2*hub+.5*near") == (WeightedTerm("hub", 2.0), WeightedTerm("near", 0.5))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("topik", "did you mean 'topic'?"),
        ("sideways", "there are authority, breadth, depth"),
        ("topic+topic", "names topic twice"),
        ("breadth+topic", "add near"),
        ("0*topic+rank", "is 0"),
        ("9" * 400 + "*topic", "is too large"),
        ("topic+" * 5_000 + "topic", "names topic twice"),
        ("(" * 5_000 + "topic", "is not an order"),
        ("topic-rank", "is not an order"),
        ("", "is not an order"),
    ],
)
def test_an_invalid_order_is_refused_with_a_hint(text: str, message: str) -> None:
    with pytest.raises(BadInput, match=message.replace("?", r"\?")):
        parse_order(text)
