"""Names of crawlers in user agents and in robots.txt."""

import pytest

from gossamer.net.robots.match_user_agent import find_agent_name, parse_agent_line


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
        ("Bot42", "bot42"),
        ("Bot42/1.0 (+https://example.org/)", "bot42"),
        ("Mozilla/5.0 (compatible; MJ12bot/v1.4.8; http://mj12bot.com/)", "mj12bot"),
        ("42", "42"),
        ("*", ""),
        ("", ""),
        ("(" * 100_000, ""),
        ("(compatible;" * 100_000, ""),
    ],
)
def test_the_name_in_a_user_agent(agent: str, token: str) -> None:
    assert find_agent_name(agent) == token


@pytest.mark.parametrize(
    ("value", "names"),
    [
        ("*", ("*",)),
        ("* and all", ("*",)),
        ("*bot", ()),
        ("FooBot/1.2", ("foobot",)),
        ("Foo Bar", ("foo",)),
        ("AB42bot", ("ab", "ab42bot")),
        ("42bot/1.0", ("42bot",)),
        ("", ()),
    ],
)
def test_the_names_of_a_user_agent_line(value: str, names: tuple[str, ...]) -> None:
    assert parse_agent_line(value) == names
