"""Runs one FTP transfer by libcurl, within the limits of a task and to an address that the guard allows."""

import socket
import time
from collections.abc import Callable
from typing import Any

import msgspec
import pycurl  # type: ignore[import-untyped]

from gossamer.fetch.address_guard import check_address
from gossamer.fetch.fetcher import FetchOptions

NOT_FOUND = (pycurl.E_REMOTE_FILE_NOT_FOUND, pycurl.E_REMOTE_ACCESS_DENIED, pycurl.E_FTP_COULDNT_RETR_FILE)
_CUT = pycurl.E_WRITE_ERROR
_SOCKET_ERROR = pycurl.SOCKET_BAD
_ANONYMOUS = "anonymous:anonymous@"


class FtpAnswer(msgspec.Struct, frozen=True):
    """What came of a transfer."""

    body: bytes
    code: int
    """Of libcurl: 0 if all went well."""
    message: str
    took_s: float
    first_byte_s: float
    is_cut: bool = False
    refused: str = ""
    """Why the address was refused, if it was."""


def transfer(
    url: str, address: str, options: FetchOptions, listing: str, is_wanted: Callable[[], bool]
) -> FtpAnswer:
    """Get a file, or with `listing` (MLSD or LIST) the listing of a folder. Blocks; ends early once `is_wanted` says no.

    Only the address of the control connection is connected to: what the server announces for data (PASV) is not used.
    """
    body, state = bytearray(), {"cut": False, "refused": ""}
    sockets: list[socket.socket] = []  # libcurl has copies of their descriptors
    most = options.settings.page_bytes

    def receive(piece: bytes) -> int:
        room = most - len(body)
        body.extend(piece[:room])
        state["cut"] = len(piece) > room
        return -1 if state["cut"] else len(piece)

    def open_socket(_purpose: int, found: Any) -> Any:
        why = check_address(found.addr[0], options.settings.allow_private)
        if why is not None or found.addr[0] != address:
            state["refused"] = f"{found.addr[0]} is {why or 'not the address of the host'}"
            return _SOCKET_ERROR
        sockets.append(socket.socket(found.family, found.socktype, found.protocol))
        return sockets[-1]

    curl = pycurl.Curl()
    try:
        _set_options(curl, url, address, options, listing)
        curl.setopt(pycurl.WRITEFUNCTION, receive)
        curl.setopt(pycurl.OPENSOCKETFUNCTION, open_socket)
        curl.setopt(pycurl.NOPROGRESS, 0)
        curl.setopt(pycurl.XFERINFOFUNCTION, lambda *_: int(not is_wanted()))
        began_s = time.monotonic()
        code, message = _perform(curl)
        took_s, first_s = time.monotonic() - began_s, float(curl.getinfo(pycurl.STARTTRANSFER_TIME))
    finally:
        curl.close()
        for one in sockets:
            one.close()
    is_cut = bool(state["cut"]) and code == _CUT
    return FtpAnswer(
        bytes(body), 0 if is_cut else code, message, took_s, first_s, is_cut, str(state["refused"])
    )


def _perform(curl: Any) -> tuple[int, str]:
    try:
        curl.perform()
    except pycurl.error as error:
        return int(error.args[0]), str(error.args[1])
    return 0, ""


def _set_options(curl: Any, url: str, address: str, options: FetchOptions, listing: str) -> None:
    settings = options.settings
    host = f"[{address}]" if ":" in address else address
    for option, value in {
        pycurl.URL: url,
        pycurl.CONNECT_TO: [f"::{host}:"],
        pycurl.PROTOCOLS: pycurl.PROTO_FTP,
        pycurl.PROXY: "",  # otherwise the environment names one
        pycurl.NOSIGNAL: 1,
        pycurl.USERPWD: options.auth or _ANONYMOUS,
        pycurl.FTP_SKIP_PASV_IP: 1,
        pycurl.FTP_FILEMETHOD: pycurl.FTPMETHOD_SINGLECWD,
        pycurl.CONNECTTIMEOUT_MS: round(settings.connect_time_s * 1000),
        pycurl.TIMEOUT_MS: round(settings.page_time_s * 1000),
        pycurl.FTP_RESPONSE_TIMEOUT: max(1, round(settings.first_byte_time_s)),
    }.items():
        curl.setopt(option, value)
    if listing:
        curl.setopt(pycurl.CUSTOMREQUEST, listing)
