"""Why a transfer failed: by the code that libcurl ended it with, and the error number of the system."""

from gossamer.fetch.socket_shortage import Shortage, describe_shortage, find_connect_shortage, find_shortage
from gossamer.records import FailureCause

CLOSED, RENEWED = -1, -2
"""Codes that libcurl does not use: we ended the transfer ourselves, for good or so that it can be retried."""
_CAUSES: dict[int, FailureCause] = {
    1: "protocol",  # UNSUPPORTED_PROTOCOL: HTTP/0.9, or not HTTP at all
    5: "dns",  # COULDNT_RESOLVE_PROXY
    6: "dns",  # COULDNT_RESOLVE_HOST
    7: "connect",  # COULDNT_CONNECT
    8: "protocol",  # WEIRD_SERVER_REPLY: a malformed head
    18: "reset",  # PARTIAL_FILE
    28: "timeout",  # OPERATION_TIMEDOUT
    35: "tls",  # SSL_CONNECT_ERROR
    45: "connect",  # INTERFACE_FAILED
    52: "reset",  # GOT_NOTHING
    55: "reset",  # SEND_ERROR
    56: "reset",  # RECV_ERROR
    58: "tls",  # SSL_CERTPROBLEM
    59: "tls",  # SSL_CIPHER
    60: "tls",  # PEER_FAILED_VERIFICATION
    77: "tls",  # SSL_CACERT_BADFILE
    83: "tls",  # SSL_ISSUER_ERROR
    91: "tls",  # SSL_INVALIDCERTSTATUS
    97: "connect",  # PROXY: the SOCKS proxy failed or refused
    100: "too_large",  # TOO_LARGE
    RENEWED: "reset",
}
STALLED = frozenset((18, 28, 55, 56))
"""Codes that a transfer may end with because we let its server wait: its time runs out, or the server gives up."""


def name_cause(code: int) -> FailureCause:
    """Return the cause that a code of libcurl stands for."""
    return _CAUSES.get(code, "internal")


def find_transfer_shortage(code: int, socket_error: int, system_error: int, address: str) -> Shortage | None:
    """Return what this machine lacked for a transfer; None if the failure has another cause.

    `socket_error` is the error number with which a socket could not be opened, `system_error` that of connecting.
    """
    if socket_error:
        return describe_shortage(socket_error)
    match code:
        case 7:  # COULDNT_CONNECT
            return find_connect_shortage(system_error, address)
        case 27 | 77:  # OUT_OF_MEMORY; SSL_CACERT_BADFILE: the file of certificates could not be opened
            # libcurl has closed the connection by now: its descriptor is free again, and was not when the file was opened.
            return find_shortage(2)
    return None
