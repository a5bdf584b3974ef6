"""What is missing or wrong is one sentence, exit code 2; the folder is private."""

import os
import socket
import stat
import sys
from pathlib import Path

import pytest

from gossamer.cli.main import run_verb
from gossamer.errors import BadInput
from gossamer.reading_proxy.addon.pairing_file import Pairing, read_pairing, write_pairing
from gossamer.reading_proxy.pair_proxy import check_server, pair
from gossamer.reading_proxy.private_folder import open_private_folder
from gossamer.reading_proxy.start_proxy import (
    ProxyOptions,
    check_authority,
    check_port,
    check_rewriters,
    compose_command,
    find_mitmdump,
)


def test_without_mitmproxy_the_command_that_installs_it_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "prefix", str(tmp_path))
    with pytest.raises(BadInput, match="run `make proxy`"):
        find_mitmdump()
    with pytest.raises(BadInput, match="name the program mitmdump"):
        find_mitmdump(tmp_path)


def test_the_verb_says_so_in_one_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run_verb(["proxy", "--mitmdump", str(tmp_path / "none")]) == 2
    said = " ".join(capsys.readouterr().err.split())
    assert "run `make proxy`" in said
    assert "Traceback" not in said


def test_the_folder_is_private_even_if_it_was_not(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GOSSAMER_CONFIG", str(tmp_path))
    folder = open_private_folder()
    (folder / "mitmproxy-ca.pem").touch(0o644)
    folder.chmod(0o755)
    assert open_private_folder() == folder
    modes = [stat.S_IMODE(path.stat().st_mode) for path in (folder, folder / "mitmproxy-ca.pem")]
    assert modes == [0o700, 0o600]


def test_a_link_to_another_folder_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GOSSAMER_CONFIG", str(tmp_path))
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "proxy").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(BadInput, match="belongs to another user"):
        open_private_folder()


def test_a_pairing_is_written_for_its_user_alone(tmp_path: Path) -> None:
    path = tmp_path / "pairing.json"
    assert read_pairing(path) is None
    write_pairing(path, Pairing("http://127.0.0.1:8080", "secret"))
    assert read_pairing(path) == ("http://127.0.0.1:8080", "secret")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    path.write_text('["no", "pairing"]')
    assert read_pairing(path) is None


def test_the_command_binds_to_this_machine_and_has_no_secret(tmp_path: Path) -> None:
    options = ProxyOptions(tmp_path, 8081, True, ("*.bank.example", "a.example"), None, 5.0, False)
    command = compose_command(Path("/mitmdump"), tmp_path / "pairing.json", options)
    assert "listen_host=127.0.0.1" in command
    assert f"confdir={tmp_path}" in command
    assert command[-3:] == [r"^(?:.+\.)?bank\.example:\d+$", "--ignore-hosts", r"^a\.example:\d+$"]


def test_what_is_no_host_is_refused(tmp_path: Path) -> None:
    options = ProxyOptions(tmp_path, 8081, True, ("https://bank.example/",), None, None, False)
    with pytest.raises(BadInput, match=r"not the name of a host"):
        compose_command(Path("/mitmdump"), tmp_path, options)


def test_a_port_in_use_and_a_file_without_certificates_are_named(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        with pytest.raises(BadInput, match="choose another with --port"):
            check_port(taken.getsockname()[1])
    (tmp_path / "none.pem").write_text("none")
    with pytest.raises(BadInput, match="has no certificates"):
        check_authority(tmp_path / "none.pem")


@pytest.mark.parametrize(
    "server",
    ["127.0.0.1:8080", "ftp://a.example/", "http://", "http://a:99999/", "http://u:p@a/", "http://a/?b"],
)
def test_what_is_no_server_is_refused(server: str) -> None:
    with pytest.raises(BadInput, match="is not the address of a server"):
        check_server(server)


def test_a_server_that_is_not_there_is_named(tmp_path: Path) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        server = f"http://127.0.0.1:{free.getsockname()[1]}"
    with pytest.raises(BadInput, match="start `gossamer serve`"):
        pair(server, tmp_path / "pairing.json", lambda code, page: None)
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("def rewrite(page: object) -> None: ...", ""),
        ("def write(page): ...", "has no function rewrite"),
        ("def rewrite(", "cannot be read as a Python file"),
        (None, "No such file"),
    ],
)
def test_a_file_that_rewrites_nothing_is_refused(tmp_path: Path, text: str | None, sentence: str) -> None:
    file = tmp_path / "mine.py"
    if text is not None:
        file.write_text(text)
    if sentence:
        with pytest.raises(BadInput, match=sentence):
            check_rewriters([file])
    else:
        check_rewriters([file])
        options = ProxyOptions(tmp_path, 8081, True, (), None, None, False, (file, file))
        assert (
            compose_command(Path("mitmdump"), tmp_path / "p", options).count(f"gossamer_rewriters={file}")
            == 2
        )
