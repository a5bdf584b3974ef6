"""A small world for tests of the server, and functions that send it raw or HTTP requests."""

import http.client
import socket
from contextlib import closing

from gossamer.lab.server.answer import Fault, LabAnswer, LabRequest
from gossamer.lab.server.handle_request import Limits
from gossamer.lab.server.serve_world import LabServer

PATIENCE_S = 0.3


BODY = b"0123456789" * 10


FAULTS = {
    "/delay": Fault(delay_s=0.1),
    "/drip": Fault(bytes_per_s=500),
    "/stall": Fault(stall_after=5),
    "/reset": Fault(reset_after=5),
    "/cut": Fault(close_after=5),
    "/longer": Fault(length_added=7),
    "/shorter": Fault(length_added=-7),
    "/status": Fault(malformed="status"),
    "/header": Fault(malformed="header"),
    "/no-colon": Fault(malformed="no-colon"),
    "/nul": Fault(malformed="nul"),
    "/chunk": Fault(malformed="chunk"),
    "/headers": Fault(endless="headers"),
    "/body": Fault(endless="body"),
}


class Toy:
    """A world that records its requests and answers as the target says."""

    def __init__(self) -> None:
        self.requests: list[LabRequest] = []

    def answer(self, request: LabRequest, now_s: float) -> LabAnswer:
        self.requests.append(request)
        if request.target == "/large":
            return LabAnswer(body=b"x" * 5_000_000)
        if request.target == "/kept":
            return LabAnswer(body=b"version %d" % (now_s // 10), fresh_until_s=now_s // 10 * 10 + 10)
        if request.target == "/304":
            return LabAnswer(304, body=b"must not be sent")
        if request.target == "/who":
            return LabAnswer(body=request.host.encode())
        headers = (("Content-Type", "text/plain"), ("X-Umlaut", "\xe4"), ("X-Far", "\u4e16"))
        return LabAnswer(headers=headers, body=BODY, fault=FAULTS.get(request.target))

    def hosts(self) -> list[str]:
        return ["127.0.0.1", "127.0.0.2", "127.1.2.3"]


LIMITS = Limits(patience_s=PATIENCE_S, endless_bytes=3_000_000)


def connect(lab: LabServer, host: str = "127.0.0.1") -> socket.socket:
    return socket.create_connection((host, lab.port), timeout=60)


def talk(lab: LabServer, sent: bytes, host: str = "127.0.0.1") -> bytes:
    """Send bytes and return everything until the server closes the connection."""
    with connect(lab, host) as line:
        line.sendall(sent)
        return b"".join(iter(lambda: line.recv(65536), b""))


def get(lab: LabServer, target: str, host: str = "127.0.0.1") -> http.client.HTTPResponse:
    with closing(http.client.HTTPConnection(host, lab.port, timeout=60)) as line:
        line.request("GET", target)
        response = line.getresponse()
        body = response.read()
    response.read = lambda *_: body  # type: ignore[method-assign]
    return response


CLOSE = b"Connection: close\r\n\r\n"
