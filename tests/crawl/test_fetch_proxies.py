"""The client through TLS and through proxies."""

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
    Saying,
    asking,
    exchange_of,
    fetching,
    in_loop,
    saying,
    whole,
)

from gossamer.config import Fetching
from gossamer.errors import BadInput
from gossamer.fetch.fetcher import FetchOptions, HostAddresses
from gossamer.fetch.http.http_client import CurlFetcher
from gossamer.records import Failed, Refused


@pytest.fixture(scope="session")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, ssl.SSLContext]:
    """A certificate for secure.example that nobody but us trusts, and a server's context with it."""
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
    async def test_a_trusted_certificate_of_the_right_name_passes(
        self, certificate: tuple[Path, ssl.SSLContext]
    ) -> None:
        path, context = certificate
        async with (
            saying(whole(), tls=context, keep_open=True) as server,
            fetching(certificates=str(path)) as fetcher,
        ):
            url = server.url(host="secure.example", scheme="https")
            for _ in range(2):
                exchange = exchange_of(await fetcher.fetch(url, HERE, asking()))
                assert exchange.body == b"hello"
                assert exchange.request_head == server.heads[-1]
            assert server.connections == 1

    @pytest.mark.parametrize(("name", "trusted"), [("secure.example", False), ("other.example", True)])
    @in_loop
    async def test_other_certificates_do_not(
        self, certificate: tuple[Path, ssl.SSLContext], name: str, trusted: bool
    ) -> None:
        path, context = certificate
        told = {"certificates": str(path)} if trusted else {}
        async with saying(whole(), tls=context) as server, fetching(**told) as fetcher:
            outcome = await fetcher.fetch(server.url(host=name, scheme="https"), HERE, asking())
            assert isinstance(outcome, Failed)
            assert outcome.cause == "tls"
            assert outcome.detail
            assert server.heads == []

    @in_loop
    async def test_a_server_without_tls_has_failed(self) -> None:
        async with saying(whole()) as server, fetching() as fetcher:
            outcome = await fetcher.fetch(server.url(scheme="https"), HERE, asking(first_byte_time_s=0.3))
            assert isinstance(outcome, Failed)
            assert outcome.cause in ("tls", "timeout")


class HttpProxy:
    """A small HTTP proxy: plain requests and tunnels, all to one port on loopback."""

    def __init__(self, port: int, refuses: bool) -> None:
        self.asked: list[bytes] = []
        self._port = port
        self._refuses = refuses

    async def attend(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await reader.readuntil(b"\r\n\r\n")
        self.asked.append(head)
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
    """A small SOCKS 5 proxy without names of its own: everything leads to one port on loopback."""

    def __init__(self, port: int, refuses: bool) -> None:
        self.asked: list[bytes] = []
        self._port = port
        self._refuses = refuses

    async def attend(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        _, methods = await reader.readexactly(2)
        await reader.readexactly(methods)
        writer.write(b"\x05\x00")
        *_, kind = await reader.readexactly(4)
        length = {1: 4, 4: 16}.get(kind) or (await reader.readexactly(1))[0]
        self.asked.append(await reader.readexactly(length))
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
    async def pour(source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
        try:
            while data := await source.read(65_536):
                sink.write(data)
                await sink.drain()
        except ConnectionError:
            pass
        sink.close()

    await asyncio.gather(pour(reader, far_writer), pour(far_reader, writer))


@asynccontextmanager
async def proxying(
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
async def behind(
    kind: type[HttpProxy] | type[SocksProxy], tls: ssl.SSLContext | None = None, **told: Any
) -> AsyncIterator[tuple[Saying, HttpProxy | SocksProxy, int, CurlFetcher]]:
    """Put a server behind a proxy."""
    async with (
        saying(whole(b"far away"), tls=tls) as server,
        proxying(kind, server.port) as (proxy, port),
        fetching(**told) as fetcher,
    ):
        yield server, proxy, port, fetcher


class TestProxies:
    @in_loop
    async def test_http_goes_to_the_proxy_with_the_whole_url(self) -> None:
        async with behind(HttpProxy) as (_, proxy, port, fetcher):
            ask = FetchOptions(Fetching(proxy=f"http://127.0.0.1:{port}"), AGENT)
            where = await fetcher.locate("far.example", ask.settings)
            assert where == HostAddresses(())
            exchange = exchange_of(await fetcher.fetch("http://far.example/a%7e", where, ask))
            assert exchange.body == b"far away"
            assert exchange.request_head == proxy.asked[0]
            assert exchange.request_head.startswith(
                b"GET http://far.example/a%7e HTTP/1.1\r\nHost: far.example\r\n"
            )
            assert exchange.address == "127.0.0.1"

    @in_loop
    async def test_https_goes_through_a_tunnel(self, certificate: tuple[Path, ssl.SSLContext]) -> None:
        path, context = certificate
        async with behind(HttpProxy, context, certificates=str(path)) as (server, proxy, port, fetcher):
            ask = FetchOptions(Fetching(proxy=f"http://127.0.0.1:{port}"), AGENT)
            exchange = exchange_of(await fetcher.fetch("https://secure.example/a", HostAddresses(()), ask))
            assert exchange.body == b"far away"
            assert exchange.request_head == server.heads[0]
            assert exchange.response_head.startswith(b"HTTP/1.1 200 OK\r\n")
            assert proxy.asked[0].startswith(b"CONNECT secure.example:443 HTTP/1.1\r\n")

    @in_loop
    async def test_a_socks_proxy_is_given_the_name_or_the_address(self) -> None:
        async with behind(SocksProxy) as (server, proxy, port, fetcher):
            by_name = FetchOptions(Fetching(proxy=f"socks5h://127.0.0.1:{port}"), AGENT)
            exchange = exchange_of(await fetcher.fetch("http://far.example/", HostAddresses(()), by_name))
            assert exchange.body == b"far away"
            assert exchange.request_head == server.heads[0]
            by_address = FetchOptions(Fetching(proxy=f"socks5://127.0.0.1:{port}"), AGENT)
            exchange_of(
                await fetcher.fetch("http://far.example/", HostAddresses(("93.184.216.34",)), by_address)
            )
            assert proxy.asked == [b"far.example", bytes([93, 184, 216, 34])]

    @in_loop
    async def test_the_environment_lets_nothing_past_the_proxy(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("no_proxy", "*")
        async with behind(HttpProxy) as (_, proxy, port, fetcher):
            ask = FetchOptions(Fetching(proxy=f"http://127.0.0.1:{port}"), AGENT)
            await fetcher.fetch("http://far.example/", HostAddresses(()), ask)
            assert len(proxy.asked) == 1

    @pytest.mark.parametrize(("kind", "scheme"), [(HttpProxy, "http"), (SocksProxy, "socks5h")])
    @in_loop
    async def test_a_proxy_is_not_asked_for_private_addresses(self, kind: Any, scheme: str) -> None:
        async with proxying(kind, 1) as (proxy, port), fetching() as fetcher:
            ask = FetchOptions(Fetching(proxy=f"{scheme}://127.0.0.1:{port}"), AGENT)
            for host in ("10.0.0.1", "[::1]", "127.0.0.1:8080", "169.254.169.254"):
                assert isinstance(await fetcher.locate(host, ask.settings), Refused)
                outcome = await fetcher.fetch(f"http://{host}/", HostAddresses(()), ask)
                assert isinstance(outcome, Refused)
                assert outcome.cause == "private address"
            assert proxy.asked == []

    @pytest.mark.parametrize(("kind", "scheme"), [(HttpProxy, "http"), (SocksProxy, "socks5h")])
    @in_loop
    async def test_a_proxy_that_refuses_is_a_failed_connection(self, kind: Any, scheme: str) -> None:
        async with proxying(kind, 1, refuses=True) as (_, port), fetching() as fetcher:
            ask = FetchOptions(Fetching(proxy=f"{scheme}://127.0.0.1:{port}"), AGENT)
            outcome = await fetcher.fetch("https://far.example/", HostAddresses(()), ask)
            assert isinstance(outcome, Failed)
            assert outcome.cause == "connect"

    @pytest.mark.parametrize(
        "proxy", ["nonsense", "ftp://127.0.0.1:1", "http://", "http://x:port", "http://ä:1"]
    )
    @in_loop
    async def test_a_malformed_proxy_is_named(self, proxy: str) -> None:
        async with fetching() as fetcher:
            with pytest.raises(BadInput, match="is not the URL of a proxy"):
                await fetcher.locate("far.example", Fetching(proxy=proxy))
