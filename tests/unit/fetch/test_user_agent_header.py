"""How the crawler introduces itself: the name, the contact, and From for an e-mail address alone."""

import pytest

from gossamer.config import Politeness
from gossamer.fetch.http.request_head import make_header_lines
from gossamer.fetch.user_agent_header import find_sender, format_user_agent


@pytest.mark.parametrize(
    ("contact", "sender"),
    [
        ("anna@example.org", "anna@example.org"),
        ("mailto:anna@example.org", "anna@example.org"),
        ("https://example.org/robot", ""),
        ("https://example.org/@anna", ""),
        ("Anna <anna@example.org>", ""),
        ("anna@example.org\r\nX: y", ""),
        ("", ""),
    ],
)
def test_only_an_e_mail_address_is_sent_as_from(contact: str, sender: str) -> None:
    assert find_sender(Politeness(contact=contact)) == sender


def test_from_is_a_header_of_its_own_beside_the_agent() -> None:
    politeness = Politeness(user_agent="Gossamer/1", contact="anna@example.org")
    lines = make_header_lines(format_user_agent(politeness), sender=find_sender(politeness))
    assert lines.each[:2] == [b"User-Agent: Gossamer/1 (+anna@example.org)", b"From: anna@example.org"]


def test_without_a_sender_there_is_no_from() -> None:
    assert b"From" not in make_header_lines("Gossamer").together
