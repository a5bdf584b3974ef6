"""Faults are sent as they were ordered, and no client holds the server up."""

import http.client
import socket
import time

import pytest
from tests.unit.lab.toy import BODY, CLOSE, PATIENCE_S, connect, get, talk

from gossamer.lab.server.serve_world import Running


def until_reset(line: socket.socket) -> bytes:
    """Return what arrives before the connection is reset; an end without a reset is a failure."""
    told = b""
    try:
        while piece := line.recv(1 << 20):
            told += piece
    except ConnectionResetError:
        return told
    pytest.fail("the connection was closed, not reset")


class TestFaults:
    def test_delay_and_drip_take_their_time(self, lab: Running) -> None:
        for target, least_s in (("/delay", 0.1), ("/drip", 0.14)):
            began_s = time.monotonic()
            assert get(lab, target).read() == BODY
            assert least_s <= time.monotonic() - began_s < 2

    def test_a_stall_ends_with_the_servers_patience(self, lab: Running) -> None:
        with connect(lab) as line:
            line.sendall(b"GET /stall HTTP/1.1\r\n\r\n")
            began_s = time.monotonic()
            assert until_reset(line).endswith(b"\r\n\r\n01234")
            assert PATIENCE_S * 0.8 < time.monotonic() - began_s < PATIENCE_S + 2

    def test_a_reset_comes_after_the_bytes(self, lab: Running) -> None:
        with connect(lab) as line:
            line.sendall(b"GET /reset HTTP/1.1\r\n\r\n")
            assert until_reset(line).endswith(b"\r\n\r\n01234")

    @pytest.mark.parametrize(("target", "sent_bytes"), [("/cut", 5), ("/longer", 100)])
    def test_bodies_shorter_than_announced_end_early(
        self, lab: Running, target: str, sent_bytes: int
    ) -> None:
        with pytest.raises(http.client.IncompleteRead) as caught:
            get(lab, target)
        assert len(caught.value.partial) == sent_bytes

    def test_bodies_longer_than_announced_leave_a_rest(self, lab: Running) -> None:
        told = talk(lab, b"GET /shorter HTTP/1.1\r\n\r\n")
        assert b"Content-Length: 93\r\n" in told
        assert told.endswith(BODY)

    def test_malformed_heads(self, lab: Running) -> None:
        def told(target: str) -> bytes:
            return talk(lab, f"GET {target} HTTP/1.1\r\n\r\n".encode())

        with pytest.raises(http.client.BadStatusLine):
            get(lab, "/status")
        assert b"X Bad\x01Name : value\r\n" in told("/header")
        assert b"\r\na line without any colon\r\n" in told("/no-colon")
        assert b"X-Nul: before\x00after\r\n" in told("/nul")

    def test_bad_chunks(self, lab: Running) -> None:
        with pytest.raises((http.client.IncompleteRead, ValueError)):
            get(lab, "/chunk")

    def test_endless_headers_and_bodies_end_at_the_bound(self, lab: Running) -> None:
        for target in ("/headers", "/body"):
            with connect(lab) as line:
                line.sendall(f"GET {target} HTTP/1.1\r\n\r\n".encode())
                received = 0
                while piece := line.recv(1 << 20):
                    received += len(piece)
                assert received >= 1_000_000

    def test_head_of_an_endless_body_ends(self, lab: Running) -> None:
        assert talk(lab, b"HEAD /body HTTP/1.1\r\n\r\n").endswith(b"\r\n\r\n")


class TestBounds:
    def test_a_client_that_does_not_read_is_given_up(self, lab: Running) -> None:
        with connect(lab) as line:
            line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            line.sendall(b"GET /large HTTP/1.1\r\n\r\n" * 20)
            time.sleep(PATIENCE_S * 3)
            assert lab.log.counts() == {"127.0.0.1": 1}
            until_reset(line)

    @pytest.mark.parametrize("sent", [b"", b"GET / HTTP/1.1\r\nX-Slow: "])
    def test_a_silent_client_is_given_up(self, lab: Running, sent: bytes) -> None:
        with connect(lab) as line:
            line.sendall(sent)
            assert line.recv(100) == b""

    def test_large_bodies_arrive_whole(self, lab: Running) -> None:
        assert len(get(lab, "/large").read()) == 5_000_000

    def test_a_flood_of_pipelined_requests_is_answered(self, lab: Running) -> None:
        number = 5000
        sent = b"GET /page HTTP/1.1\r\n\r\n" * (number - 1) + b"GET /page HTTP/1.1\r\n" + CLOSE
        assert talk(lab, sent).count(b"HTTP/1.1 200 OK") == number
