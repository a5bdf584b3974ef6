"""Product tokens in user agents and in robots.txt."""

import pytest

from gossamer.net.robots.match_user_agent import find_product_token, parse_agent_line


@pytest.mark.parametrize(
    ("agent", "token"),
    [
        ("Gossamer", "gossamer"),
        (" Gossamer/0.1 ", "gossamer"),
        ("Goss_a-mer/0.1 (+https://example.org/)", "goss_a-mer"),
        ("Mozilla/5.0 (compatible; Gossamer/0.1; +https://example.org/)", "gossamer"),
        ("Mozilla/5.0 (Linux; compatible; Gossamer)", "gossamer"),
        ("Mozilla/5.0 (X11; Linux x86_64)", "mozilla"),
        ("Foo Bar", ""),
        ("Bot42", ""),
        ("42", ""),
        ("*", ""),
        ("", ""),
        ("(" * 100_000, ""),
        ("(compatible;" * 100_000, ""),
    ],
)
def test_the_token_of_a_user_agent(agent: str, token: str) -> None:
    assert find_product_token(agent) == token


@pytest.mark.parametrize(
    ("value", "token"),
    [
        ("*", "*"),
        ("* and all", "*"),
        ("*bot", ""),
        ("FooBot/1.2", "foobot"),
        ("Foo Bar", "foo"),
        ("AB42bot", "ab"),
        ("", ""),
    ],
)
def test_the_token_of_a_user_agent_line(value: str, token: str) -> None:
    assert parse_agent_line(value) == token
