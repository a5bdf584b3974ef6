"""What libpq's messages mean for a user: connections that stay refused until the address or the server is changed.

A fetcher waits for a database that is away. It must not wait for ever because of a wrong certificate, so these are told apart.
"""

import re

_LOGIN = (
    (r'database ".*" does not exist', "there is no such database"),
    (r'role ".*" does not exist', "there is no such user"),
    (r"password authentication failed", "the server does not accept this user and password"),
    (
        r"no password supplied",
        "the server wants a password: write it into ~/.pgpass or the variable PGPASSWORD",
    ),
    # Servers without TLS say that nothing is encrypted, too; so it is only one of the two reasons.
    (
        r"no pg_hba.conf entry .*no encryption",
        "the server does not accept this user from this machine without TLS: write sslmode=verify-full, "
        "or allow the user in pg_hba.conf",
    ),
    (r"no pg_hba.conf entry", "the server does not accept this user from this machine"),
    (r"permission denied for database", "this user may not connect to the database"),
    (r"Peer authentication failed", "the server does not accept this user from this account"),
)
_SERVER_CERTIFICATE = (
    (r"server does not support SSL", "the server does not offer TLS"),
    (
        r"certificate verify failed",
        "the server's certificate is not trusted: sslrootcert must name the file of the authority that signed it",
    ),
    (
        r'server certificate for (".*") .*does not match host name (".*")',
        r"the server's certificate is for \1, not for \2: write the name of the certificate, "
        "and with hostaddr= the address if that name leads elsewhere",
    ),
)
_CLIENT_CERTIFICATE = (
    (
        r"requires a valid client certificate",
        "the server wants a certificate of the client: name its files with sslcert and sslkey",
    ),
    (r"alert unknown ca", "the server does not trust the certificate of the client in sslcert"),
    (
        r"alert (?:bad certificate|certificate (?:expired|revoked|unknown))",
        "the server does not accept the certificate of the client in sslcert",
    ),
    (r"certificate authentication failed", "the certificate of the client in sslcert is for another user"),
)
_FILES = (
    (
        r'private key file (".*") has group or world access',
        r"others can read the key in \1: run chmod 600",
    ),
    (r"certificate present, but not private key file (.*)", r"there is no key in \1: name it with sslkey"),
    (
        r"could not (?:load|read) ((?:root )?(?:certificate|private key) file .*|certificate revocation list .*)",
        r"libpq cannot use the \1",
    ),
    (r"(?:failed: )?([\w ]*file .* does not exist)", r"\1"),
    (r'(invalid "?\w+"? value: .*)', r"\1"),
)
_MEANINGS = (*_LOGIN, *_SERVER_CERTIFICATE, *_CLIENT_CERTIFICATE, *_FILES)


def explain_refusal(message: str) -> str | None:
    """Return what to tell the user about libpq's message; None if the same connection may succeed later."""
    for words, meaning in _MEANINGS:
        if found := re.search(words, message):
            return found.expand(meaning)
    return None
