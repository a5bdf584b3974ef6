"""Any world is served over real HTTP, and stopping releases every socket and task."""

import asyncio
import http.client
import itertools
import os
import resource
import socket
from pathlib import Path

import pytest
from tests.unit.lab.toy import BODY, CLOSE, Toy, connect, get, talk

from gossamer.errors import BadInput
from gossamer.lab.recordings.serve_folder import Folders
from gossamer.lab.server.clock import PretendClock
from gossamer.lab.server.handle_request import Limits
from gossamer.lab.server.serve_world import LabServer, serve, serving


class Named(Toy):
    """A world whose hosts have names."""

    def hosts(self) -> list[str]:
        return ["a.example", "b.example"]

    def host_map(self) -> dict[str, str]:
        return {"a.example": "127.0.0.5", "b.example": "127.0.0.6"}

    def seeds(self) -> list[str]:
        return ["http://a.example/"]

    def with_port(self, port: int) -> "Named":
        return self


def test_the_limit_of_open_files_is_raised_for_many_clients() -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    low = 64 + max(int(name) for name in os.listdir("/proc/self/fd"))  # other tests may have left files open
    resource.setrlimit(resource.RLIMIT_NOFILE, (low, hard))
    try:
        with serving(Toy()):
            assert resource.getrlimit(resource.RLIMIT_NOFILE)[0] > low
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


class TestHttp:
    def test_an_answer_has_status_date_headers_and_length(self, lab: LabServer) -> None:
        response = get(lab, "/page")
        assert (response.status, response.reason, response.version) == (200, "OK", 11)
        assert response.read() == BODY
        assert response.headers["Content-Length"] == str(len(BODY))
        assert response.headers["X-Umlaut"] == "\xe4"
        assert response.headers["Date"].endswith("GMT")

    def test_one_connection_serves_many_requests(self, lab: LabServer) -> None:
        line = http.client.HTTPConnection("127.0.0.1", lab.port)
        for _ in range(3):
            line.request("GET", "/page")
            assert line.getresponse().read() == BODY
        line.close()
        assert len({entry.connection for entry in lab.log.entries()}) == 1

    def test_pipelined_requests_are_answered_in_order(self, lab: LabServer) -> None:
        targets = ["/delay", "/page", "/large", "/kept", "/304", "/page"]
        sent = b"".join(b"GET %b HTTP/1.1\r\nHost: x\r\n\r\n" % target.encode() for target in targets)
        received = talk(lab, sent + b"GET /last HTTP/1.1\r\n" + CLOSE)
        assert received.count(b"HTTP/1.1 200 OK") == 6
        assert [entry.target for entry in lab.log.entries()] == [*targets, "/last"]

    def test_a_request_may_arrive_byte_by_byte(self, lab: LabServer) -> None:
        with connect(lab) as line:
            for byte in b"GET /page HTTP/1.1\r\n" + CLOSE:
                line.sendall(bytes([byte]))
            assert b"".join(iter(lambda: line.recv(65536), b"")).endswith(BODY)

    def test_head_sends_the_length_but_no_body(self, lab: LabServer) -> None:
        received = talk(lab, b"HEAD /page HTTP/1.1\r\n" + CLOSE)
        assert b"Content-Length: 100\r\n" in received
        assert received.endswith(b"\r\n\r\n")

    def test_not_modified_has_no_body(self, lab: LabServer) -> None:
        received = talk(lab, b"GET /304 HTTP/1.1\r\n" + CLOSE)
        assert received.startswith(b"HTTP/1.1 304 ")
        assert received.endswith(b"\r\n\r\n")
        assert b"Content-Length" not in received

    @pytest.mark.parametrize(
        ("head", "header"),
        [
            (b"GET /page HTTP/1.0\r\n\r\n", b"Connection: close"),
            (b"GET /page HTTP/1.0\n\n", b"Connection: close"),
            (b"\r\nGET /page HTTP/1.1\r\nConnection: close\r\n\r\n", b"Connection: close"),
            (
                b"GET /page HTTP/1.0\r\nConnection: Keep-Alive\r\n\r\nGET /page HTTP/1.0\r\n\r\n",
                b"Connection: keep-alive",
            ),
        ],
    )
    def test_http_1_0_clients_are_served(self, lab: LabServer, head: bytes, header: bytes) -> None:
        received = talk(lab, head)
        assert header in received
        assert received.endswith(BODY)

    def test_a_client_that_closes_its_side_still_gets_its_answers(self, lab: LabServer) -> None:
        with connect(lab) as line:
            line.sendall(b"GET /delay HTTP/1.1\r\n\r\nGET /delay HTTP/1.1\r\n\r\nGET /page HTTP/1.1\r\n\r\n")
            line.shutdown(socket.SHUT_WR)
            assert b"".join(iter(lambda: line.recv(65536), b"")).count(BODY) == 3

    def test_a_request_body_is_skipped(self, lab: LabServer) -> None:
        received = talk(
            lab, b"POST /page HTTP/1.1\r\nContent-Length: 9\r\n\r\nGET / no\nGET /page HTTP/1.1\r\n" + CLOSE
        )
        assert received.count(b"HTTP/1.1 200 OK") == 2

    @pytest.mark.parametrize(
        ("sent", "status"),
        [
            (b"nonsense\r\n\r\n", b"400"),
            (b"GET / HTTP/2.0\r\n\r\n", b"400"),
            (b"GET  / HTTP/1.1\r\n\r\n", b"400"),
            (b"G\x00T / HTTP/1.1\r\n\r\n", b"400"),
            (b"GET / HTTP/1.1\r\nno colon\r\n\r\n", b"400"),
            (b"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", b"411"),
            (b"POST / HTTP/1.1\r\nContent-Length: -1\r\n\r\n", b"411"),
            (b"POST / HTTP/1.1\r\nContent-Length: 99999999999\r\n\r\n", b"413"),
            (b"GET /" + b"a" * 70_000 + b" HTTP/1.1\r\n\r\n", b"431"),
            (b"GET / HTTP/1.1\r\n" + b"X: y\r\n" * 20_000, b"431"),
        ],
    )
    def test_invalid_requests_get_an_error_and_the_connection_closes(
        self, lab: LabServer, sent: bytes, status: bytes
    ) -> None:
        assert talk(lab, sent)[9:12] == status


class TestHosts:
    def test_every_host_has_its_own_address(self, lab: LabServer) -> None:
        for host in ("127.0.0.2", "127.1.2.3"):
            assert get(lab, "/who", host).read().decode() == f"{host}:{lab.port}"

    def test_connections_to_unknown_addresses_are_reset(self, lab: LabServer) -> None:
        with pytest.raises(ConnectionResetError):
            get(lab, "/", "127.9.9.9")

    def test_the_machines_other_addresses_are_not_served(self, lab: LabServer) -> None:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
            try:
                probe.connect(("192.0.2.1", 9))  # sends nothing, only looks up the route
                outside = probe.getsockname()[0]
            except OSError:
                pytest.skip("this machine has only loopback addresses")
        with pytest.raises(OSError, match=r"reset|refused"):
            get(lab, "/", outside)

    def test_without_a_host_name_the_address_decides_which_host_answers(self, lab: LabServer) -> None:
        for line in (b"", b"Host: 127.0.0.1\r\n", b"Host: localhost:8000\r\n"):
            received = talk(lab, b"GET /who HTTP/1.1\r\n" + line + CLOSE, "127.0.0.2")
            assert received.endswith(b"\r\n127.0.0.2:%d" % lab.port)

    def test_the_host_name_comes_from_header_address_or_absolute_target(self) -> None:
        with serving(Named()) as lab:
            assert talk(lab, b"GET /who HTTP/1.1\r\nHost: B.example:99\r\n" + CLOSE).endswith(
                b"\nb.example:99"
            )
            assert talk(lab, b"GET /who HTTP/1.1\r\n" + CLOSE, "127.0.0.6").endswith(b"\nb.example")
            proxied = b"GET http://A.example/who HTTP/1.1\r\nHost: b.example\r\n" + CLOSE
            assert talk(lab, proxied).endswith(b"\na.example")
            assert [entry.host for entry in lab.log.entries()] == ["b.example", "b.example", "a.example"]
            assert lab.seeds == ["http://a.example/"]

    def test_a_port_in_use_is_an_error(self, lab: LabServer) -> None:
        with pytest.raises(BadInput, match="already in use"), serving(Toy(), port=lab.port):
            pass


class TestTime:
    def test_answers_are_cached_while_they_are_valid(self) -> None:
        clock, world = PretendClock(3), Toy()
        with serving(world, clock=clock) as lab:
            for now_s, version, requests in (
                (3, 0, 1),
                (9, 0, 1),
                (10, 1, 2),
                (19, 1, 2),
                (5, 0, 3),
                (30, 3, 4),
            ):
                clock.set(now_s)
                assert get(lab, "/kept").read() == b"version %d" % version
                assert len(world.requests) == requests
            clock.advance(10)
            assert get(lab, "/kept").read() == b"version 4"

    def test_requests_that_differ_in_any_header_are_cached_separately(self) -> None:
        world = Toy()
        with serving(world) as lab:
            for header in (b"", b"If-None-Match: x\r\n", b"Cookie: a\r\n", b""):
                talk(lab, b"GET /kept HTTP/1.1\r\n" + header + CLOSE)
            assert len(world.requests) == 3

    def test_the_cache_stays_within_its_bytes(self) -> None:
        world = Toy()
        with serving(world, limits=Limits(cache_bytes=20_000)) as lab:
            for host, agent in itertools.product((1, 2), range(40)):
                talk(lab, b"GET /kept HTTP/1.1\r\nCookie: %d\r\n" % agent + CLOSE, f"127.0.0.{host}")
            talk(lab, b"GET /kept HTTP/1.1\r\nCookie: 0\r\n" + CLOSE)
            assert len(world.requests) == 81


def test_stopping_closes_every_socket_and_task() -> None:
    async def scene() -> None:
        tasks, before = asyncio.all_tasks(), open_sockets()
        async with serve(Toy(), limits=Limits(patience_s=60)) as lab:
            lines = []
            for target in ("/page", "/stall", "/large", "/drip", "/body", "/delay"):
                reader, writer = await asyncio.open_connection("127.0.0.2", lab.port, limit=1024)
                writer.write(f"GET {target} HTTP/1.1\r\n\r\n".encode())
                await reader.read(10)
                lines.append(writer)
            lines.append((await asyncio.open_connection("127.0.0.2", lab.port))[1])
        for writer in lines:
            writer.transport.abort()
        await asyncio.sleep(0.01)
        assert asyncio.all_tasks() == tasks
        assert open_sockets() == before
        assert len(lab.log) == 6

    asyncio.run(scene())


def test_stopping_while_clients_connect_closes_every_socket_and_task() -> None:
    async def connect_repeatedly(port: int) -> None:
        try:
            while True:
                _, writer = await asyncio.open_connection("127.0.0.1", port)
                writer.write(b"GET / HTTP/1.1\r\n\r\n")
                writer.transport.abort()
        except OSError:
            pass

    async def scene() -> None:
        before = open_sockets()
        for _ in range(20):
            async with serve(Toy()) as lab:
                clients = [asyncio.create_task(connect_repeatedly(lab.port)) for _ in range(8)]
                await asyncio.sleep(0.005)
            await asyncio.gather(*clients)
        await asyncio.sleep(0.01)
        assert asyncio.all_tasks() == {asyncio.current_task()}
        assert open_sockets() == before

    asyncio.run(scene())


def open_sockets() -> set[str]:
    descriptors = Path("/proc/self/fd")
    links = (os.readlink(entry) for entry in descriptors.iterdir() if entry.is_symlink() and entry.exists())
    return {link for link in links if link.startswith("socket:")}


@pytest.mark.slow
def test_several_processes_share_port_log_and_clock(tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text("hello")
    with serving(Folders([tmp_path]), processes=2, clock=PretendClock()) as lab:
        for _ in range(40):
            assert get(lab, "/").read() == b"hello"
        entries = lab.log.entries()
        assert len(entries) == 40
        assert len({entry.connection >> 32 for entry in entries}) == 2
        clock = lab.clock
        assert isinstance(clock, PretendClock)
        before = get(lab, "/").headers["Date"]
        clock.advance(86400)
        dates = {get(lab, "/").headers["Date"][:16] for _ in range(10)}
        assert before[:16] not in dates
        assert len(dates) == 1
    assert len(lab.log) == 51


def test_invalid_ports_and_process_counts_are_errors() -> None:
    for port, processes in ((0, 0), (-1, 1), (70000, 1)):
        with pytest.raises(BadInput), serving(Toy(), port, processes):
            pass
