"""The HTTP client with TLS and with proxies."""

import asyncio
import ssl
import subprocess
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from tests.crawl.fetching import (
    AGENT,
    HERE,
    CannedServer,
    get_exchange,
    in_loop,
    make_bytes,
    make_options,
    open_fetcher,
    serve_bytes,
)

from gossamer.config import Fetching
from gossamer.errors import BadInput
from gossamer.fetch.fetcher import FetchOptions, HostAddresses
from gossamer.fetch.http.http_client import CurlFetcher
from gossamer.records import Failed, Refused


@pytest.fixture(scope="session")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, ssl.SSLContext]:
    """A self-signed certificate for secure.example, and a server context with it."""
    folder = tmp_path_factory.mktemp("tls")
    command = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2"]
    names = ["-subj", "/CN=secure.example", "-addext", "subjectAltName=DNS:secure.example"]
    files = ["-keyout", str(folder / "key.pem"), "-out", str(folder / "cert.pem")]
    subprocess.run([*command, *names, *files], check=True, capture_output=True)
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(folder / "cert.pem", folder / "key.pem")
    return folder / "cert.pem", context


class TestTls:
    @in_loop
    async def test_a_trusted_certificate_with_the_right_name_is_accepted(
        self, certificate: tuple[Path, ssl.SSLContext]
    ) -> None:
        path, context = certificate
        async with (
            serve_bytes(make_bytes(), tls=context, keep_open=True) as server,
            open_fetcher(certificates=str(path)) as fetcher,
        ):
            url = server.url(host="secure.example", scheme="https")
            for _ in range(2):
                exchange = get_exchange(await fetcher.fetch(url, HERE, make_options()))
                assert exchange.body == b"hello"
                assert exchange.request_head == server.heads[-1]
            assert server.connections == 1

    @pytest.mark.parametrize(("name", "trusted"), [("secure.example", False), ("other.example", True)])
    @in_loop
    async def test_other_certificates_are_refused(
        self, certificate: tuple[Path, ssl.SSLContext], name: str, trusted: bool
    ) -> None:
        path, context = certificate
        arguments = {"certificates": str(path)} if trusted else {}
        async with serve_bytes(make_bytes(), tls=context) as server, open_fetcher(**arguments) as fetcher:
            outcome = await fetcher.fetch(server.url(host=name, scheme="https"), HERE, make_options())
            assert isinstance(outcome, Failed)
            assert outcome.cause == "tls"
            assert outcome.detail
            assert server.heads == []

    @in_loop
    async def test_a_server_without_tls_is_a_failure(self) -> None:
        async with serve_bytes(make_bytes()) as server, open_fetcher() as fetcher:
            outcome = await fetcher.fetch(
                server.url(scheme="https"), HERE, make_options(first_byte_time_s=0.3)
            )
            assert isinstance(outcome, Failed)
            assert outcome.cause in ("tls", "timeout")


class HttpProxy:
    """A small HTTP proxy for plain requests and tunnels, all to one port on loopback."""

    def __init__(self, port: int, refuses: bool) -> None:
        self.received: list[bytes] = []
        self._port = port
        self._refuses = refuses

    async def attend(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await reader.readuntil(b"\r\n\r\n")
        self.received.append(head)
        if self._refuses:
            writer.write(b"HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n")
            writer.close()
            return
        far_reader, far_writer = await asyncio.open_connection("127.0.0.1", self._port)
        if head.startswith(b"CONNECT "):
            writer.write(b"HTTP/1.1 200 Connection established\r\nX-Proxy: yes\r\n\r\n")
        else:
            far_writer.write(head)
        await relay(reader, writer, far_reader, far_writer)


class SocksProxy:
    """A small SOCKS 5 proxy that connects every request to one port on loopback."""

    def __init__(self, port: int, refuses: bool) -> None:
        self.received: list[bytes] = []
        self._port = port
        self._refuses = refuses

    async def attend(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        _, methods = await reader.readexactly(2)
        await reader.readexactly(methods)
        writer.write(b"\x05\x00")
        *_, kind = await reader.readexactly(4)
        length = {1: 4, 4: 16}.get(kind) or (await reader.readexactly(1))[0]
        self.received.append(await reader.readexactly(length))
        await reader.readexactly(2)
        writer.write(b"\x05" + (b"\x02" if self._refuses else b"\x00") + b"\x00\x01\x7f\x00\x00\x01\x00\x00")
        if self._refuses:
            writer.close()
            return
        await relay(reader, writer, *await asyncio.open_connection("127.0.0.1", self._port))


async def relay(
    reader: asyncio.StreamReader,
    writer: asyncio.StreamWriter,
    far_reader: asyncio.StreamReader,
    far_writer: asyncio.StreamWriter,
) -> None:
    async def copy(source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
        try:
            while data := await source.read(65_536):
                sink.write(data)
                await sink.drain()
        except ConnectionError:
            pass
        sink.close()

    await asyncio.gather(copy(reader, far_writer), copy(far_reader, writer))


@asynccontextmanager
async def run_proxy(
    kind: type[HttpProxy] | type[SocksProxy], port: int, refuses: bool = False
) -> AsyncIterator[tuple[HttpProxy | SocksProxy, int]]:
    proxy = kind(port, refuses)
    server = await asyncio.start_server(proxy.attend, "127.0.0.1", 0)
    try:
        yield proxy, server.sockets[0].getsockname()[1]
    finally:
        server.close()
        await asyncio.sleep(0.01)


@asynccontextmanager
async def serve_behind(
    kind: type[HttpProxy] | type[SocksProxy], tls: ssl.SSLContext | None = None, **arguments: Any
) -> AsyncIterator[tuple[CannedServer, HttpProxy | SocksProxy, int, CurlFetcher]]:
    """Serve behind a proxy."""
    async with (
        serve_bytes(make_bytes(b"far away"), tls=tls) as server,
        run_proxy(kind, server.port) as (proxy, port),
        open_fetcher(**arguments) as fetcher,
    ):
        yield server, proxy, port, fetcher


class TestProxies:
    @in_loop
    async def test_http_goes_to_the_proxy_with_the_whole_url(self) -> None:
        async with serve_behind(HttpProxy) as (_, proxy, port, fetcher):
            options = FetchOptions(Fetching(proxy=f"http://127.0.0.1:{port}"), AGENT)
            where = await fetcher.locate("far.example", options.settings)
            assert where == HostAddresses(())
            exchange = get_exchange(await fetcher.fetch("http://far.example/a%7e", where, options))
            assert exchange.body == b"far away"
            assert exchange.request_head == proxy.received[0]
            assert exchange.request_head.startswith(
                b"GET http://far.example/a%7e HTTP/1.1\r\nHost: far.example\r\n"
            )
            assert exchange.address == "127.0.0.1"

    @in_loop
    async def test_https_goes_through_a_tunnel(self, certificate: tuple[Path, ssl.SSLContext]) -> None:
        path, context = certificate
        async with serve_behind(HttpProxy, context, certificates=str(path)) as (server, proxy, port, fetcher):
            options = FetchOptions(Fetching(proxy=f"http://127.0.0.1:{port}"), AGENT)
            exchange = get_exchange(
                await fetcher.fetch("https://secure.example/a", HostAddresses(()), options)
            )
            assert exchange.body == b"far away"
            assert exchange.request_head == server.heads[0]
            assert exchange.response_head.startswith(b"HTTP/1.1 200 OK\r\n")
            assert proxy.received[0].startswith(b"CONNECT secure.example:443 HTTP/1.1\r\n")

    @in_loop
    async def test_a_socks_proxy_gets_the_name_or_the_address(self) -> None:
        async with serve_behind(SocksProxy) as (server, proxy, port, fetcher):
            by_name = FetchOptions(Fetching(proxy=f"socks5h://127.0.0.1:{port}"), AGENT)
            exchange = get_exchange(await fetcher.fetch("http://far.example/", HostAddresses(()), by_name))
            assert exchange.body == b"far away"
            assert exchange.request_head == server.heads[0]
            by_address = FetchOptions(Fetching(proxy=f"socks5://127.0.0.1:{port}"), AGENT)
            get_exchange(
                await fetcher.fetch("http://far.example/", HostAddresses(("93.184.216.34",)), by_address)
            )
            assert proxy.received == [b"far.example", bytes([93, 184, 216, 34])]

    @in_loop
    async def test_no_proxy_of_the_environment_has_no_effect(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("no_proxy", "*")
        async with serve_behind(HttpProxy) as (_, proxy, port, fetcher):
            options = FetchOptions(Fetching(proxy=f"http://127.0.0.1:{port}"), AGENT)
            await fetcher.fetch("http://far.example/", HostAddresses(()), options)
            assert len(proxy.received) == 1

    @in_loop
    async def test_the_password_of_a_proxy_is_sent_and_not_recorded(self) -> None:
        async with serve_behind(HttpProxy) as (_, proxy, port, fetcher):
            for user_info, sent in (
                ("bob:p%40ss@", b"Basic Ym9iOnBAc3M="),
                ("", b""),
                ("bob:@", b"Basic Ym9iOg=="),
                (":p%40ss@", b"Basic OnBAc3M="),
                ("@", b""),
            ):
                options = FetchOptions(Fetching(proxy=f"http://{user_info}127.0.0.1:{port}"), AGENT)
                exchange = get_exchange(
                    await fetcher.fetch("http://far.example/", HostAddresses(()), options)
                )
                line = b"\r\nProxy-Authorization: " + sent + b"\r\n"
                assert (line in proxy.received[-1]) == bool(sent), user_info
                assert (b"Proxy-Authorization: (redacted)" in exchange.request_head) == bool(sent)
                assert b"Basic" not in exchange.request_head

    @pytest.mark.parametrize(("kind", "scheme"), [(HttpProxy, "http"), (SocksProxy, "socks5h")])
    @in_loop
    async def test_private_addresses_are_not_requested_from_a_proxy(self, kind: Any, scheme: str) -> None:
        async with run_proxy(kind, 1) as (proxy, port), open_fetcher() as fetcher:
            options = FetchOptions(Fetching(proxy=f"{scheme}://127.0.0.1:{port}"), AGENT)
            for host in ("10.0.0.1", "[::1]", "127.0.0.1:8080", "169.254.169.254"):
                assert isinstance(await fetcher.locate(host, options.settings), Refused)
                outcome = await fetcher.fetch(f"http://{host}/", HostAddresses(()), options)
                assert isinstance(outcome, Refused)
                assert outcome.cause == "private address"
            assert proxy.received == []

    @pytest.mark.parametrize(("kind", "scheme"), [(HttpProxy, "http"), (SocksProxy, "socks5h")])
    @in_loop
    async def test_a_proxy_that_refuses_is_a_failed_connection(self, kind: Any, scheme: str) -> None:
        async with run_proxy(kind, 1, refuses=True) as (_, port), open_fetcher() as fetcher:
            options = FetchOptions(Fetching(proxy=f"{scheme}://127.0.0.1:{port}"), AGENT)
            outcome = await fetcher.fetch("https://far.example/", HostAddresses(()), options)
            assert isinstance(outcome, Failed)
            assert outcome.cause == "connect"

    @pytest.mark.parametrize(
        "proxy", ["nonsense", "ftp://127.0.0.1:1", "http://", "http://x:port", "http://ä:1"]
    )
    @in_loop
    async def test_the_error_names_a_malformed_proxy(self, proxy: str) -> None:
        async with open_fetcher() as fetcher:
            with pytest.raises(BadInput, match="is not the URL of a proxy"):
                await fetcher.locate("far.example", Fetching(proxy=proxy))

    @pytest.mark.parametrize(
        "proxy", ["ftp://bob:S3cret@x", "http://bob:S3cret@x:port", "http://bob:S3/cret@x:1"]
    )
    @in_loop
    async def test_the_error_shows_no_password(self, proxy: str) -> None:
        async with open_fetcher() as fetcher:
            with pytest.raises(BadInput, match="is not the URL of a proxy") as caught:
                await fetcher.locate("far.example", Fetching(proxy=proxy))
            assert "S3" not in str(caught.value)
