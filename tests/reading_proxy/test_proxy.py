"""What the proxy changes and what it leaves alone, who may use it, and who may read its files."""

import http.client
import json
import re
import signal
import socket
import stat
import subprocess
from pathlib import Path
from typing import Any

import pytest
from tests.reading_proxy.conftest import Surroundings
from tests.reading_proxy.running_proxy import CLI, RunningProxy, make_environment, run_proxy
from tests.reading_proxy.sites import BLOB, HOST, START

pytestmark = pytest.mark.slow
TAG = re.compile(rb'<script async src="/\.well-known/gossamer-proxy/\w+\.js" nonce="([\w-]+)"></script>')
CARDS = "http://cards.gossamer.internal"
ASKING: dict[str, Any] = {"x_gossamer_frame": "1", "sec_fetch_site": "same-origin"}


def test_a_page_gets_one_script_at_the_beginning_of_its_head(
    proxy: RunningProxy, around: Surroundings
) -> None:
    found = proxy.ask(f"{around.plain}/")
    tag = TAG.search(found.body)
    assert found.status == 200
    assert tag is not None
    assert found.body[: tag.start()].endswith(b"<head>")
    assert TAG.sub(b"", found.body) == START.encode()


def test_a_page_over_https_gets_it_too(proxy: RunningProxy, around: Surroundings) -> None:
    found = proxy.ask(f"{around.secure}/")
    assert TAG.sub(b"", found.body) == START.encode()
    assert found.body != START.encode()


def test_the_script_comes_from_the_site_itself(proxy: RunningProxy, around: Surroundings) -> None:
    path = re.findall(rb'src="([^"]+)"', proxy.ask(f"{around.plain}/").body)[0].decode()
    script = proxy.ask(around.plain + path)
    assert script.headers["content-type"].startswith("text/javascript")
    assert b"//cards.gossamer.internal" in script.body


def test_a_packed_page_is_unpacked_on_its_way(proxy: RunningProxy, around: Surroundings) -> None:
    found = proxy.ask(f"{around.plain}/packed")
    assert "content-encoding" not in found.headers
    assert TAG.sub(b"", found.body) == START.encode() * 200
    assert len(TAG.findall(found.body)) == 1


def test_a_nonce_is_added_to_a_policy_and_nothing_else(proxy: RunningProxy, around: Surroundings) -> None:
    found = proxy.ask(f"{around.plain}/nonce")
    nonce = TAG.findall(found.body)[0].decode()
    policy = found.headers["content-security-policy"]
    assert policy == f"script-src 'nonce-abc' 'nonce-{nonce}'; style-src 'none'"
    assert "etag" not in found.headers
    assert TAG.findall(proxy.ask(f"{around.plain}/nonce").body)[0].decode() != nonce


def test_a_changed_page_has_no_strong_validator(proxy: RunningProxy, around: Surroundings) -> None:
    assert proxy.ask(f"{around.plain}/haydn").headers["etag"] == 'W/"strong"'


@pytest.mark.parametrize("path", ["closed", "still", "download", "signed"])
def test_pages_that_must_stay_are_as_their_server_sent_them(
    proxy: RunningProxy, around: Surroundings, path: str
) -> None:
    found = proxy.ask(f"{around.plain}/{path}")
    assert found.body == START.encode()
    assert found.headers["content-length"] == str(len(START))


def test_requests_of_scripts_frames_and_parts_get_what_the_server_sent(
    proxy: RunningProxy, around: Surroundings
) -> None:
    others: list[dict[str, Any]] = [
        {"sec_fetch_dest": "empty"},
        {"sec_fetch_dest": "iframe"},
        {"range": "bytes=0-9"},
    ]
    for headers in others:
        assert b"gossamer-proxy" not in proxy.ask(f"{around.plain}/", **headers).body
    assert proxy.ask(f"{around.plain}/script.js").body == b"window.ran = true;"
    assert proxy.ask(f"{around.plain}/gone").body == b"<p>gone"


def test_an_answer_to_a_form_stays_as_it_is(proxy: RunningProxy, around: Surroundings) -> None:
    given = b"a" * 3_000_000
    found = proxy.ask(f"{around.secure}/", "POST", given)
    assert found.body == b"<!doctype html><title>Posted</title>" + given


def test_ten_megabytes_arrive_whole(proxy: RunningProxy, around: Surroundings) -> None:
    assert proxy.ask(f"{around.plain}/blob").body == BLOB


def test_cards_and_marks_come_from_the_server(proxy: RunningProxy, around: Surroundings) -> None:
    card = json.loads(proxy.ask(f"{CARDS}/card?url={around.plain}/haydn", **ASKING).body)
    assert (card["title"], card["known"]) == ("Haydn", True)
    links = [f"{around.plain}/haydn", f"{around.plain}/gone", "http://elsewhere.example/"]
    body = json.dumps({"page": f"{around.plain}/", "links": links}).encode()
    found = proxy.ask(f"{CARDS}/marks", "POST", body, **ASKING, content_type="application/json")
    assert json.loads(found.body) == {"marks": [["known"], ["dead"], []]}


@pytest.mark.parametrize(
    "headers",
    [{}, {"x_gossamer_frame": "1", "sec_fetch_site": "cross-site"}, {"sec_fetch_site": "same-origin"}],
)
def test_nobody_but_the_frame_may_ask_for_cards(
    proxy: RunningProxy, around: Surroundings, headers: dict[str, Any]
) -> None:
    found = proxy.ask(f"{CARDS}/card?url={around.plain}/haydn", **headers)
    assert found.status == 403
    assert b"Haydn" not in found.body
    assert "access-control-allow-origin" not in found.headers


def test_no_answer_of_the_proxy_has_the_token(proxy: RunningProxy) -> None:
    token = json.loads((proxy.folder / "pairing.json").read_text())["token"].encode()
    for path in (
        "/frame",
        "/frame.js",
        "/frame.css",
        "/card?url=http://a.example/",
        "/pairing.json",
        "/../pairing.json",
    ):
        found = proxy.ask(CARDS + path, **ASKING)
        assert token not in found.body
        assert token.decode() not in str(found.headers)


def test_only_the_user_can_read_the_authority_and_the_token(proxy: RunningProxy) -> None:
    assert stat.S_IMODE(proxy.folder.stat().st_mode) == 0o700
    files = {path.name: stat.S_IMODE(path.stat().st_mode) for path in proxy.folder.iterdir()}
    assert {"pairing.json", "mitmproxy-ca.pem", "mitmproxy-ca-cert.pem"} <= set(files)
    assert set(files.values()) == {0o600}


def test_other_machines_do_not_reach_it(proxy: RunningProxy) -> None:
    port = int(proxy.address.partition(":")[2])
    listening = Path("/proc/net/tcp").read_text("utf-8").splitlines()[1:]
    at = [line.split()[1].split(":")[0] for line in listening if line.split()[1].endswith(f":{port:04X}")]
    assert set(at) >= {"0100007F"}
    assert "00000000" not in at


def test_with_cards_off_every_page_is_as_it_was(around: Surroundings) -> None:
    with run_proxy(around.authority, around.environment, "--no-cards") as plain:
        for path in ("/", "/packed", "/nonce"):
            assert b"gossamer-proxy" not in plain.ask(around.plain + path).body
        assert plain.ask(f"{around.plain}/haydn").headers["etag"] == '"strong"'


def test_a_host_that_is_left_has_its_own_certificate(around: Surroundings) -> None:
    with run_proxy(around.authority, around.environment, "--leave", "localhost") as proxy:
        trusting = proxy._replace(folder=around.authority.parent)
        (around.authority.parent / "mitmproxy-ca-cert.pem").write_bytes(around.authority.read_bytes())
        assert trusting.ask(f"{around.secure}/").body == START.encode()


def test_a_browser_that_refuses_the_certificate_gets_the_page_itself_next_time(around: Surroundings) -> None:
    with run_proxy(around.authority, around.environment) as proxy:
        refusing = proxy._replace(folder=around.authority.parent)
        (around.authority.parent / "mitmproxy-ca-cert.pem").write_bytes(around.authority.read_bytes())
        with pytest.raises(OSError, match="certificate verify failed"):
            refusing.ask(f"{around.secure}/")
        assert proxy.output.stdout is not None
        assert json.loads(proxy.output.stdout.readline()) == {"refused": "localhost"}
        assert refusing.ask(f"{around.secure}/").body == START.encode()


def test_a_server_that_does_not_answer_is_a_sentence_in_the_card(
    around: Surroundings, tmp_path: Path
) -> None:
    folder = tmp_path / "config" / "proxy"
    folder.mkdir(parents=True)
    with socket.socket() as free:
        free.bind((HOST, 0))
        port = free.getsockname()[1]
    (folder / "pairing.json").write_text(json.dumps({"server": f"http://{HOST}:{port}", "token": "x"}))
    with run_proxy(around.authority, make_environment(tmp_path / "config")) as proxy:
        assert b"gossamer-proxy" in proxy.ask(f"{around.plain}/").body
        found = proxy.ask(f"{CARDS}/card?url={around.plain}/haydn", **ASKING)
        assert json.loads(found.body)["error"].endswith("start `gossamer serve` there.")
        (folder / "pairing.json").write_text(json.dumps({"server": around.server, "token": "wrong"}))
        found = proxy.ask(f"{CARDS}/card?url={around.plain}/haydn", **ASKING)
        assert (
            json.loads(found.body)["error"]
            == "This proxy is not paired any more: run `gossamer proxy --pair`."
        )


def test_a_proxy_with_open_connections_ends_without_a_traceback(around: Surroundings, tmp_path: Path) -> None:
    command = [*CLI, "proxy", "--json", "--port", "0", "--authority", str(around.authority)]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=around.environment
    ) as running:
        assert running.stdout is not None
        assert running.stderr is not None
        address = json.loads(running.stdout.readline())["proxy"]
        connection = http.client.HTTPConnection(address, timeout=60)
        connection.request("GET", f"{around.plain}/haydn")
        connection.getresponse().read()
        running.send_signal(signal.SIGINT)
        assert running.stderr.read() == b""
        connection.close()


def test_the_name_of_mitmproxys_own_pages_is_asked_of_nobody_here(proxy: RunningProxy) -> None:
    found = proxy.ask("http://mitm.it/cert/pem")
    assert found.status == 502
    assert b"BEGIN CERTIFICATE" not in found.body


def test_files_of_the_user_rewrite_pages_and_nothing_else(around: Surroundings, tmp_path: Path) -> None:
    rewriter = tmp_path / "loud.py"
    rewriter.write_text("def rewrite(page):\n    return lambda piece: piece.replace(b'Haydn', b'HAYDN')\n")
    options = ("--rewrite", str(rewriter))
    with run_proxy(around.authority, around.environment, *options) as loud:
        found = loud.ask(f"{around.plain}/")
        assert TAG.sub(b"", found.body) == START.replace("Haydn", "HAYDN").encode()
        assert TAG.search(found.body)
        assert loud.ask(f"{around.plain}/signed").body == START.encode()
    with run_proxy(around.authority, around.environment, "--no-cards", *options) as loud:
        assert loud.ask(f"{around.plain}/packed").body == START.replace("Haydn", "HAYDN").encode() * 200
