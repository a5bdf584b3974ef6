"""The hooks of mitmproxy: what is done with each request and answer that passes through."""

import asyncio
import ipaddress
import json
import logging
import secrets
from collections.abc import Sequence
from pathlib import Path

from mitmproxy import ctx, http, tcp
from mitmproxy.addonmanager import Loader
from mitmproxy.connection import Client
from mitmproxy.tls import ClientHelloData, TlsData

from gossamer.reading_proxy.addon.ask_server import ServerClient
from gossamer.reading_proxy.addon.content_policy import admit_script
from gossamer.reading_proxy.addon.insert_script import ScriptInserter
from gossamer.reading_proxy.addon.own_pages import (
    HOST,
    MOST_BODY_BYTES,
    OwnAnswer,
    answer_at_own_host,
    answer_at_site,
    write_tag,
)
from gossamer.reading_proxy.addon.page_rewriters import PageRewriters, ProxiedPage
from gossamer.reading_proxy.addon.page_rules import (
    Exchange,
    find_charset,
    find_reason_to_leave,
    is_document_request,
)

_POLICIES = ("content-security-policy", "content-security-policy-report-only")
_MOST_REFUSED = 1_000


class ReadingProxy:
    """Adds cards and marks to pages, and passes everything else on as it is."""

    def __init__(self) -> None:
        self._server = ServerClient(Path())
        self._refused = set[str]()
        self._rewriters = PageRewriters(())

    def load(self, loader: Loader) -> None:
        """Declare the options that the verb sets."""
        loader.add_option("gossamer_pairing", str, "", "File with the server and the token of this proxy.")
        loader.add_option("gossamer_cards", bool, True, "Whether pages get cards and marks.")
        loader.add_option("gossamer_rewriters", Sequence[str], [], "Files whose functions rewrite pages.")
        loader.add_option("gossamer_json", bool, False, "Whether to print JSON.")
        loader.add_option("gossamer_time", str, "", "Stop after this many seconds.")

    def running(self) -> None:
        """Say where the proxy listens."""
        self._server = ServerClient(Path(ctx.options.gossamer_pairing))
        self._rewriters = PageRewriters(map(Path, ctx.options.gossamer_rewriters))
        port = ctx.master.addons.get("proxyserver").listen_addrs()[0][1]
        self._print({"proxy": f"127.0.0.1:{port}"}, f"Proxy at 127.0.0.1:{port}  Press Ctrl-C to stop.")
        if ctx.options.gossamer_time:
            asyncio.get_running_loop().call_later(float(ctx.options.gossamer_time), ctx.master.shutdown)

    def done(self) -> None:
        """End quietly: connections that are still open are cut, and asyncio would print a traceback for each."""
        logging.getLogger("asyncio").setLevel(logging.CRITICAL)

    def client_connected(self, client: Client) -> None:
        """Refuse clients of other machines, however the proxy was bound."""
        if not ipaddress.ip_address(client.peername[0].partition("%")[0]).is_loopback:
            client.error = "only this machine may use this proxy"

    def tls_clienthello(self, data: ClientHelloData) -> None:
        """Pass connections through whose browser refused our certificate before."""
        data.ignore_connection = (data.client_hello.sni or "") in self._refused

    def tls_failed_client(self, data: TlsData) -> None:
        """Remember the host whose certificate a browser refused: browsing goes on without cards there."""
        host = data.conn.sni or ""
        if not host or host in self._refused or host == HOST or len(self._refused) >= _MOST_REFUSED:
            return
        self._refused.add(host)
        sentence = (
            f"A browser refused the certificate for {host}, which is now passed through as it is. "
            "If this happens everywhere, import the certificate that was named at the start, and restart the proxy."
        )
        self._print({"refused": host}, sentence)

    def requestheaders(self, flow: http.HTTPFlow) -> None:
        """Stream what is sent to servers, and ask for pages in an encoding that can be read."""
        request = flow.request
        if request.host == HOST:
            if not request.headers.get("content-length", "0").isdecimal() or _is_too_large(request):
                flow.kill()
            return
        if request.method != "GET":
            request.stream = True
        if self._changes_pages and is_document_request(request.method, _read(request.headers)):
            accepted = request.headers.get("accept-encoding", "")
            request.headers["accept-encoding"] = "gzip" if "gzip" in accepted else "identity"

    async def request(self, flow: http.HTTPFlow) -> None:
        """Answer requests that are for the proxy itself."""
        request, answer = flow.request, None
        if request.host == HOST:
            answer = await answer_at_own_host(
                request.method,
                request.path,
                _read(request.headers),
                request.raw_content or b"",
                self._server.ask,
            )
        elif request.method == "GET" and ctx.options.gossamer_cards:
            answer = answer_at_site(request.path)
        if answer is not None:
            flow.response = _make_response(answer)

    def responseheaders(self, flow: http.HTTPFlow) -> None:
        """Stream every answer: pages with a tag of ours in them, the rest as it is."""
        if flow.response is None or flow.request.host == HOST:
            return
        flow.response.stream = True
        if self._changes_pages and flow.request.http_version != "HTTP/1.0":
            self._change_page(flow.request, flow.response)

    def websocket_message(self, flow: http.HTTPFlow) -> None:
        """Forget messages that were passed on: mitmproxy would keep them as long as the connection lasts."""
        if flow.websocket is not None:
            del flow.websocket.messages[:-1]

    def tcp_message(self, flow: tcp.TCPFlow) -> None:
        """Forget what was passed on, in the same way."""
        del flow.messages[:-1]

    @property
    def _changes_pages(self) -> bool:
        return bool(ctx.options.gossamer_cards or ctx.options.gossamer_rewriters)

    def _change_page(self, request: http.Request, response: http.Response) -> None:
        """Let a page stream through our inserter, if it may be changed and something changes it."""
        sent = _read(response.headers)
        if find_reason_to_leave(Exchange(request.method, _read(request.headers), response.status_code, sent)):
            return
        nonce = secrets.token_urlsafe(18)
        has_cards = ctx.options.gossamer_cards and _admit_script(request, response, nonce)
        rewriter = self._rewriters.begin(ProxiedPage(request.pretty_url, sent))
        if not has_cards and rewriter is None:
            return
        is_compressed = _prepare_headers(request, response)
        tag = write_tag(nonce) if has_cards else b""
        response.stream = ScriptInserter(tag, is_compressed, bool(find_charset(sent)), rewriter)

    def _print(self, record: dict[str, str], sentence: str) -> None:
        print(json.dumps(record) if ctx.options.gossamer_json else sentence, flush=True)  # noqa: T201 - a program's output


def _admit_script(request: http.Request, response: http.Response, nonce: str) -> bool:
    """Let the policies of a page admit our script; return False, and change nothing, if one cannot."""
    headers, sent = response.headers, _read(response.headers)
    admitted = {name: admit_script(sent[name], request.scheme, nonce) for name in _POLICIES if name in sent}
    if None in admitted.values():
        return False
    for name, policy in admitted.items():
        if policy is not None and policy != sent[name]:
            headers[name] = policy
            # A copy that is confirmed later would meet a policy without this nonce, so it is asked for anew.
            headers.pop("etag", None)
            headers.pop("last-modified", None)
    return True


def _prepare_headers(request: http.Request, response: http.Response) -> bool:
    """Say nothing of a body that will be another one; return whether it is compressed."""
    headers = response.headers
    if headers.get("etag", "W/")[:2] != "W/":
        headers["etag"] = f"W/{headers['etag']}"
    is_compressed = "gzip" in headers.pop("content-encoding", "")
    for name in ("content-length", "accept-ranges"):
        headers.pop(name, None)
    if request.http_version.startswith("HTTP/1"):
        headers["transfer-encoding"] = "chunked"
    return is_compressed


def _read(headers: http.Headers) -> dict[str, str]:
    return {name.lower(): ", ".join(headers.get_all(name)) for name in headers}


def _is_too_large(request: http.Request) -> bool:
    return (
        int(request.headers.get("content-length", "0")) > MOST_BODY_BYTES
        or "transfer-encoding" in request.headers
    )


def _make_response(answer: OwnAnswer) -> http.Response:
    return http.Response.make(answer.status, answer.body, answer.headers)


addons = [ReadingProxy()]
