"""Send a notice by mail: SMTP with STARTTLS or TLS, and a password from a file or a variable."""

import os
import smtplib
import ssl
from email.message import EmailMessage
from pathlib import Path

from gossamer.errors import BadInput
from gossamer.logs.hide_secrets import add_secrets
from gossamer.printable_text import clean_text
from gossamer.schedule.journal.journal_records import Notice
from gossamer.schedule.schedule_records import Mail

_PORTS = {"starttls": 587, "tls": 465, "none": 25}
_TIMEOUT_S = 30.0


def send_mail(mail: Mail, notice: Notice, folder: Path) -> str:
    """Send a notice; return why that failed, or "". Relative paths lead from `folder`."""
    try:
        password = read_password(mail, folder)
        with _connect(mail, folder) as server:
            if mail.security == "starttls":
                server.starttls(context=_make_tls(mail, folder))
            if mail.user:
                server.login(mail.user, password)
            server.send_message(make_message(mail, notice))
    except BadInput as error:
        return str(error)
    except smtplib.SMTPAuthenticationError as error:
        return f"{mail.server} refused the user or the password (code {error.smtp_code})"
    except smtplib.SMTPRecipientsRefused as error:
        codes = {f"{address}: {_describe(*answer)}" for address, answer in error.recipients.items()}
        return f"{mail.server} refused {'; '.join(sorted(codes))}"
    except smtplib.SMTPResponseException as error:
        return f"{mail.server} answered {_describe(error.smtp_code, error.smtp_error)}"
    except smtplib.SMTPNotSupportedError:
        return f"{mail.server} does not offer what is wanted: STARTTLS, or a login; look at `security` and `port`"
    except ssl.SSLCertVerificationError as error:
        return f"the certificate of {mail.server} is not trusted: {error.verify_message}; ca_file names another authority"
    except (OSError, smtplib.SMTPException, ValueError) as error:
        return f"{mail.server} cannot be reached: {clean_text(str(error) or type(error).__name__, 200)}"
    return ""


def read_password(mail: Mail, folder: Path) -> str:
    """Return the password, from its file or its variable; "" if there is no user."""
    if not mail.user:
        return ""
    password = _find_password(mail, folder)
    add_secrets((password,))  # a server may repeat it in what it answers
    return password


def _find_password(mail: Mail, folder: Path) -> str:
    if not mail.password_file:
        password = os.environ.get(mail.password_variable, "")
        if not password:
            raise BadInput(f"the variable {mail.password_variable} has no password for mail")
        return password
    path = folder / mail.password_file
    try:
        password = path.read_text("utf-8").strip("\r\n")
    except (OSError, UnicodeDecodeError) as error:
        why = getattr(error, "strerror", None) or "it is not text"
        raise BadInput(f"the password file {path} cannot be read: {why}") from None
    if not password:
        raise BadInput(f"the password file {path} is empty")
    return password


def make_message(mail: Mail, notice: Notice) -> EmailMessage:
    """Return a notice as a message of plain text; the same notice has the same Message-ID."""
    message = EmailMessage()
    message["From"] = mail.sender
    message["To"] = ", ".join(mail.to)
    message["Subject"] = clean_text(f"[Gossamer] {notice.subject}", 200)
    message["Message-ID"] = f"<{notice.id}@{mail.sender.rpartition('@')[2]}>"
    message["Auto-Submitted"] = "auto-generated"  # RFC 3834: answering machines stay silent
    message.set_content(format_notice(notice))
    return message


def format_notice(notice: Notice) -> str:
    """Return the text of a notice, one item on two lines."""
    lines = [notice.text, ""] if notice.text else []
    for item in notice.items:
        lines.append(clean_text(item.title or item.url, 300))
        if item.url and item.title:
            lines.append(f"    {clean_text(item.url, 2_000)}")
    return "\n".join(lines) + "\n"


def _connect(mail: Mail, folder: Path) -> smtplib.SMTP:
    port = mail.port or _PORTS[mail.security]
    if mail.security == "tls":
        return smtplib.SMTP_SSL(mail.server, port, timeout=_TIMEOUT_S, context=_make_tls(mail, folder))
    return smtplib.SMTP(mail.server, port, timeout=_TIMEOUT_S)


def _make_tls(mail: Mail, folder: Path) -> ssl.SSLContext:
    context = ssl.create_default_context()
    if mail.ca_file:
        try:
            context.load_verify_locations(folder / mail.ca_file)
        except (OSError, ssl.SSLError):
            raise BadInput(f"the certificates in {folder / mail.ca_file} cannot be read") from None
    return context


def _describe(code: int, answer: bytes | str) -> str:
    text = answer.decode("utf-8", "replace") if isinstance(answer, bytes) else answer
    return f"{code} {clean_text(text, 200)}"
