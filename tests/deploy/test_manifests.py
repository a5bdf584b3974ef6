"""The files in deploy/ are what their tools accept, name options that exist, and hold no password."""

import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

yaml = pytest.importorskip("yaml", reason="PyYAML is not installed (extra dev)")

DEPLOY = Path(__file__).resolve().parents[2] / "deploy"
UNITS = sorted((DEPLOY / "systemd").glob("*.service"))
MANIFESTS = sorted((DEPLOY / "kubernetes").glob("*.yaml"))
SECRETS = ("PGPASSWORD", "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "GOSSAMER_TOKEN")
MAIL_PASSWORD = "GOSSAMER_MAIL_PASSWORD"  # noqa: S105 - the name of a variable


def read_compose() -> dict[str, Any]:
    return yaml.safe_load((DEPLOY / "compose.yaml").read_text("utf-8"))  # type: ignore[no-any-return]


def read_manifests(kind: str) -> list[dict[str, Any]]:
    found = [one for path in MANIFESTS for one in yaml.safe_load_all(path.read_text("utf-8"))]
    return [one for one in found if one["kind"] == kind]


def list_commands() -> dict[str, list[str]]:
    """Return the arguments of Gossamer in all files, by where they are."""
    commands: dict[str, list[str]] = {}
    for path in UNITS:
        [line] = re.findall(r"^ExecStart=\S+ (.*)$", path.read_text("utf-8"), re.MULTILINE)
        commands[path.name] = line.split()
    for manifest in read_manifests("Deployment"):
        for container in manifest["spec"]["template"]["spec"]["containers"]:
            commands[f"kubernetes {container['name']}"] = container["args"]
    for name in ("fetcher", "serve", "run", "crawl-index"):
        commands[f"compose {name}"] = read_compose()["services"][name]["command"]
    return commands


@pytest.mark.parametrize("path", MANIFESTS, ids=lambda path: path.name)
def test_kubernetes_knows_every_key(path: Path) -> None:
    kubernetes_validate = pytest.importorskip(
        "kubernetes_validate", reason="kubernetes-validate is not installed (extra dev)"
    )
    for manifest in yaml.safe_load_all(path.read_text("utf-8")):
        kubernetes_validate.validate(manifest, kubernetes_validate.latest_version(), strict=True)


def test_compose_knows_every_key() -> None:
    compose_spec = pytest.importorskip("compose_spec", reason="compose-spec is not installed (extra dev)")
    read = compose_spec.PyOptions(apply_merge=True).from_yaml
    text = (DEPLOY / "compose.yaml").read_text("utf-8")
    read(text).validate()
    with pytest.raises(ValueError, match="healthchek"):
        read(text.replace("healthcheck:", "healthchek:"))


@pytest.mark.parametrize("path", UNITS, ids=lambda path: path.name)
def test_systemd_knows_every_key(path: Path, tmp_path: Path) -> None:
    program = shutil.which("systemd-analyze")
    if program is None:
        pytest.skip("there is no systemd-analyze: apt-get install systemd")
    # It also looks for the program, which is installed elsewhere here.
    unit = path.read_text("utf-8").replace("/opt/gossamer/bin/gossamer", "/bin/true")
    copy = tmp_path / path.name
    copy.write_text(unit, "utf-8")
    checked = subprocess.run([program, "verify", str(copy)], capture_output=True, text=True)
    assert (checked.returncode, checked.stderr) == (0, "")


@pytest.mark.parametrize(("where", "command"), list_commands().items(), ids=list_commands())
def test_options_exist(where: str, command: list[str]) -> None:
    program = "import sys; from gossamer.cli.main import run_verb; sys.exit(run_verb(sys.argv[1:]))"
    shown = subprocess.run(
        [sys.executable, "-c", program, command[0], "--help"], capture_output=True, text=True, check=True
    ).stdout
    used = [word for word in command if word.startswith("--")]
    assert [option for option in used if f"{option} " not in shown] == [], where


def test_fetchers_show_that_they_are_alive_where_it_is_looked_for() -> None:
    [fetcher] = [one for one in read_manifests("Deployment") if one["metadata"]["name"] == "gossamer-fetcher"]
    [container] = fetcher["spec"]["template"]["spec"]["containers"]
    services = [read_compose()["services"][name] for name in ("fetcher", "run")]
    for command, probe in (
        (container["args"], container["livenessProbe"]["exec"]["command"]),
        *((service["command"], service["healthcheck"]["test"]) for service in services),
    ):
        file = command[command.index("--alive-file") + 1]
        assert f"find {file} " in probe[-1]


def test_no_file_holds_a_password() -> None:
    for name in (path for path in DEPLOY.rglob("*") if path.is_file()):
        text = name.read_text("utf-8")
        for secret in (*SECRETS, MAIL_PASSWORD):
            for value in re.findall(rf"^\s*{secret}[=:][ \t]*(.*)$", text, re.MULTILINE):
                assert value in ("", '""'), f"{name.name} holds a value of {secret}"


def test_secrets_that_are_named_exist() -> None:
    compose = read_compose()
    for name, service in compose["services"].items():
        assert set(service.get("secrets", ())) <= compose["secrets"].keys(), name
    [secret] = read_manifests("Secret")
    assert set(secret["stringData"]) == set(SECRETS)
    for manifest in read_manifests("Deployment"):
        for container in manifest["spec"]["template"]["spec"]["containers"]:
            for variable in container["env"]:
                wanted = variable.get("valueFrom", {}).get("secretKeyRef")
                assert wanted is None or wanted == {
                    "name": secret["metadata"]["name"],
                    "key": variable["name"],
                }


def test_passwords_are_read_from_files(tmp_path: Path) -> None:
    (tmp_path / "password").write_text("with 'quotes' and $signs\n", "utf-8")
    shown = subprocess.run(
        [str(DEPLOY / "read-secrets"), "env"],
        env={"PATH": "/usr/bin:/bin", "PGPASSWORD_FILE": str(tmp_path / "password"), "AWS_REGION": "here"},
        capture_output=True,
        text=True,
        check=True,
    ).stdout.splitlines()
    assert "PGPASSWORD=with 'quotes' and $signs" in shown
    assert "AWS_REGION=here" in shown
    assert not any("PGPASSWORD_FILE" in line or "GOSSAMER_TOKEN" in line for line in shown)
    missing = subprocess.run(
        [str(DEPLOY / "read-secrets"), "env"],
        env={"PATH": "/usr/bin:/bin", "PGPASSWORD_FILE": str(tmp_path / "none")},
        capture_output=True,
    )
    assert missing.returncode != 0
