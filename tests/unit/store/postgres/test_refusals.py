"""Refusals that stay are told apart from a server that is away."""

import pytest

from gossamer.store.postgres.refusals import explain_refusal

AT = 'connection to server at "10.0.0.5", port 5432 failed: '


@pytest.mark.parametrize(
    ("message", "words"),
    [
        ('FATAL: database "web" does not exist', "there is no such database"),
        (
            'FATAL: no pg_hba.conf entry for host "10.0.0.7", user "crawl", database "web", no encryption',
            "without TLS",
        ),
        (
            'FATAL: no pg_hba.conf entry for host "10.0.0.7", user "crawl", database "web", SSL encryption',
            "does not accept this user from this machine",
        ),
        ("SSL error: certificate verify failed", "is not trusted"),
        (
            'server certificate for "db.example" (and 2 other names) does not match host name "10.0.0.5"',
            'is for "db.example", not for "10.0.0.5"',
        ),
        ("SSL error: ssl/tls alert certificate expired", "does not accept the certificate of the client"),
        ("SSL error: sslv3 alert certificate revoked", "does not accept the certificate of the client"),
        ('FATAL: certificate authentication failed for user "crawl"', "is for another user"),
        ('invalid "sslmode" value: "yes"', 'invalid "sslmode" value: "yes"'),
    ],
)
def test_what_stays_is_explained(message: str, words: str) -> None:
    meaning = explain_refusal(AT + message)
    assert meaning is not None
    assert words in meaning
    assert "10.0.0.5" not in meaning or "10.0.0.5" in words


@pytest.mark.parametrize(
    "message",
    [
        "Connection refused",
        "timeout expired",
        "FATAL: the database system is starting up",
        "FATAL: sorry, too many clients already",
        "SSL SYSCALL error: EOF detected",
        "SSL error: unexpected eof while reading",
        "server closed the connection unexpectedly",
    ],
)
def test_what_passes_is_waited_for(message: str) -> None:
    assert explain_refusal(AT + message) is None
