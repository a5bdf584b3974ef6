"""Mail goes out over TLS with a login, and what is refused gets a sentence that holds no password."""

import shutil
import socket
import ssl
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.cluster.tls_server import Authority
from tests.smtp_server import SmtpServer, serve_smtp

from gossamer.schedule.journal.journal_records import NewsItem, Notice
from gossamer.schedule.schedule_records import Mail
from gossamer.schedule.tell.send_mail import make_message, send_mail

PASSWORD = "secret-word"  # noqa: S105 - of this test only
ITEMS = (
    NewsItem("a", "A new page\x1b[31m\r\nBcc: x@example.org", "https://a.example/1"),
    NewsItem("b", "Zwei Ä"),
)
NOTICE = Notice(1, "an-id", "mail", "weekly", "weekly: 2 new", "2 new pages.", ITEMS, 0.0)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if shutil.which("openssl") is None:
        pytest.skip("there is no openssl")
    made = tmp_path_factory.mktemp("mail")
    authority = Authority(made, "authority")
    authority.sign("localhost")
    (made / "password").write_text(f"{PASSWORD}\n")
    return made


@pytest.fixture
def tls(folder: Path) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(folder / "localhost.crt", folder / "localhost.key")
    return context


@pytest.fixture
def server(tls: ssl.SSLContext) -> Iterator[SmtpServer]:
    with serve_smtp(tls, PASSWORD) as started:
        yield started


def make_mail(server: SmtpServer, **changes: str) -> Mail:
    given = {
        "security": "starttls",
        "user": "me",
        "password_file": "password",
        "ca_file": "authority.crt",
        **changes,
    }
    return Mail(("to@example.org",), "from@example.org", "localhost", server.port, **given)  # type: ignore[arg-type]


def test_mail_goes_out_by_starttls_with_a_login(server: SmtpServer, folder: Path) -> None:
    assert send_mail(make_mail(server), NOTICE, folder) == ""
    [mail] = server.mail
    assert mail["Subject"] == "[Gossamer] weekly: 2 new"
    assert mail["Message-ID"] == "<an-id@example.org>"
    assert mail["Bcc"] is None
    payload = mail.get_payload(decode=True)
    assert isinstance(payload, bytes)
    lines = payload.decode().splitlines()
    assert lines == [
        *("2 new pages.", "", "A new page [31m Bcc: x@example.org", "    https://a.example/1", "Zwei Ä"),
    ]


def test_mail_goes_out_by_tls_with_a_password_from_the_environment(
    tls: ssl.SSLContext, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TEST_MAIL_PASSWORD", PASSWORD)
    with serve_smtp(tls, PASSWORD, from_start=True) as server:
        mail = make_mail(server, security="tls", password_file="", password_variable="TEST_MAIL_PASSWORD")  # noqa: S106
        assert send_mail(mail, NOTICE, folder) == ""
        assert len(server.mail) == 1


def test_mail_goes_out_without_tls_where_that_is_wanted(folder: Path) -> None:
    with serve_smtp() as server:
        assert send_mail(make_mail(server, security="none", user=""), NOTICE, folder) == ""
        assert "STARTTLS" in send_mail(make_mail(server, user=""), NOTICE, folder)


def test_what_is_refused_gets_a_sentence(server: SmtpServer, folder: Path, tmp_path: Path) -> None:
    (tmp_path / "password").write_text("wrong-word")
    (tmp_path / "authority.crt").write_bytes((folder / "authority.crt").read_bytes())
    assert send_mail(make_mail(server), NOTICE, tmp_path) == (
        "localhost refused the user or the password (code 535)"
    )
    assert "is not trusted" in send_mail(make_mail(server, ca_file=""), NOTICE, folder)
    assert "cannot be read" in send_mail(make_mail(server, password_file="none"), NOTICE, folder)  # noqa: S106
    assert "cannot be read" in send_mail(make_mail(server, ca_file="none"), NOTICE, folder)
    mail = make_mail(server, password_file="", password_variable="TEST_NO_SUCH_VARIABLE")  # noqa: S106
    assert send_mail(mail, NOTICE, folder) == "the variable TEST_NO_SUCH_VARIABLE has no password for mail"
    server.refusals = 1
    assert send_mail(make_mail(server), NOTICE, folder) == "localhost answered 451 try again later"
    assert server.mail == []


def test_a_server_that_is_not_there_gets_a_sentence(folder: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    mail = Mail(("to@example.org",), "from@example.org", "127.0.0.1", port, "none")
    assert "127.0.0.1 cannot be reached" in send_mail(mail, NOTICE, folder)


def test_a_subject_from_the_web_cannot_add_headers() -> None:
    hostile = Notice(1, "an-id", "mail", "x", "x\r\nBcc: y@example.org", "", (), 0.0)
    message = make_message(Mail(("to@example.org",), "from@example.org", "localhost"), hostile)
    assert message["Subject"] == "[Gossamer] x Bcc: y@example.org"
    assert message["Bcc"] is None
