"""The server sends every kind of fault, and no client can block it."""

import http.client
import socket
import time

import pytest
from tests.unit.lab.toy import BODY, CLOSE, PATIENCE_S, connect, get, talk

from gossamer.lab.server.serve_world import LabServer


def receive_until_reset(line: socket.socket) -> bytes:
    """Return the bytes that arrive before the reset; fail if the connection is closed without one."""
    received = b""
    try:
        while piece := line.recv(1 << 20):
            received += piece
    except ConnectionResetError:
        return received
    pytest.fail("the connection was closed, not reset")


class TestFaults:
    def test_a_delayed_answer_and_a_slow_body_take_as_long_as_the_fault_says(self, lab: LabServer) -> None:
        for target, least_s in (("/delay", 0.1), ("/drip", 0.14)):
            began_s = time.monotonic()
            assert get(lab, target).read() == BODY
            assert time.monotonic() - began_s >= least_s

    def test_a_stall_lasts_until_the_servers_patience_ends(self, lab: LabServer) -> None:
        with connect(lab) as line:
            line.sendall(b"GET /stall HTTP/1.1\r\n\r\n")
            began_s = time.monotonic()
            assert receive_until_reset(line).endswith(b"\r\n\r\n01234")
            assert time.monotonic() - began_s > PATIENCE_S * 0.8

    def test_a_reset_comes_after_the_last_byte(self, lab: LabServer) -> None:
        with connect(lab) as line:
            line.sendall(b"GET /reset HTTP/1.1\r\n\r\n")
            assert receive_until_reset(line).endswith(b"\r\n\r\n01234")

    @pytest.mark.parametrize(("target", "sent_bytes"), [("/cut", 5), ("/longer", 100)])
    def test_a_body_shorter_than_its_content_length_ends_early(
        self, lab: LabServer, target: str, sent_bytes: int
    ) -> None:
        with pytest.raises(http.client.IncompleteRead) as caught:
            get(lab, target)
        assert len(caught.value.partial) == sent_bytes

    def test_a_body_longer_than_its_content_length_is_sent_whole(self, lab: LabServer) -> None:
        received = talk(lab, b"GET /shorter HTTP/1.1\r\n\r\n")
        assert b"Content-Length: 93\r\n" in received
        assert received.endswith(BODY)

    def test_malformed_heads(self, lab: LabServer) -> None:
        def fetch(target: str) -> bytes:
            return talk(lab, f"GET {target} HTTP/1.1\r\n\r\n".encode())

        with pytest.raises(http.client.BadStatusLine):
            get(lab, "/status")
        assert b"X Bad\x01Name : value\r\n" in fetch("/header")
        assert b"\r\na line without any colon\r\n" in fetch("/no-colon")
        assert b"X-Nul: before\x00after\r\n" in fetch("/nul")

    def test_invalid_chunks(self, lab: LabServer) -> None:
        with pytest.raises((http.client.IncompleteRead, ValueError)):
            get(lab, "/chunk")

    def test_endless_headers_and_bodies_end_at_the_limit(self, lab: LabServer) -> None:
        for target in ("/headers", "/body"):
            with connect(lab) as line:
                line.sendall(f"GET {target} HTTP/1.1\r\n\r\n".encode())
                received = 0
                while piece := line.recv(1 << 20):
                    received += len(piece)
                assert received >= 1_000_000

    def test_a_head_request_for_an_endless_body_gets_the_head_only(self, lab: LabServer) -> None:
        assert talk(lab, b"HEAD /body HTTP/1.1\r\n\r\n").endswith(b"\r\n\r\n")


class TestLimits:
    def test_a_client_that_does_not_read_is_reset(self, lab: LabServer) -> None:
        with connect(lab) as line:
            line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            line.sendall(b"GET /large HTTP/1.1\r\n\r\n" * 20)
            deadline_s = time.monotonic() + 60
            while not lab.log.counts() and time.monotonic() < deadline_s:
                time.sleep(0.02)
            assert lab.log.counts() == {"127.0.0.1": 1}
            receive_until_reset(line)

    @pytest.mark.parametrize("sent", [b"", b"GET / HTTP/1.1\r\nX-Slow: "])
    def test_a_silent_client_is_disconnected(self, lab: LabServer, sent: bytes) -> None:
        with connect(lab) as line:
            line.sendall(sent)
            assert line.recv(100) == b""

    def test_large_bodies_arrive_whole(self, lab: LabServer) -> None:
        assert len(get(lab, "/large").read()) == 5_000_000

    @pytest.mark.slow
    def test_thousands_of_pipelined_requests_are_answered(self, lab: LabServer) -> None:
        number = 5000
        sent = b"GET /page HTTP/1.1\r\n\r\n" * (number - 1) + b"GET /page HTTP/1.1\r\n" + CLOSE
        assert talk(lab, sent).count(b"HTTP/1.1 200 OK") == number
