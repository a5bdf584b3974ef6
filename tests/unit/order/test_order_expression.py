import pytest

from gossamer.errors import BadInput
from gossamer.order.order_expression import Part, mixture_of


def test_an_order_is_one_name_or_several_with_weights() -> None:
    assert mixture_of("topic") == (Part("topic", 1.0),)
    assert mixture_of("topic + 0.3*authority") == (Part("topic", 1.0), Part("authority", 0.3))
    assert mixture_of("2*hub+.5*near") == (Part("hub", 2.0), Part("near", 0.5))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("topik", "did you mean 'topic'?"),
        ("sideways", "there are authority, breadth, depth"),
        ("topic+topic", "names topic twice"),
        ("breadth+topic", "add near"),
        ("0*topic+rank", "is 0"),
        ("topic-rank", "is no order"),
        ("", "is no order"),
    ],
)
def test_what_is_no_order_is_said_with_what_would_be(text: str, said: str) -> None:
    with pytest.raises(BadInput, match=said.replace("?", r"\?")):
        mixture_of(text)
