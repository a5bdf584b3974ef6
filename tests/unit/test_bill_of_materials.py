"""The bill of materials lists what a release contains and needs."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from tools.bill_of_materials import find_direct, make_bill
from tools.pinned_packages import read_pins

REPOSITORY = Path(__file__).parents[2]
RELEASE_TOOLS = Path(sys.prefix) / "release-tools" / "bin" / "python"
NOW = "2026-11-17T00:00:00Z"


@pytest.fixture(scope="module")
def bill() -> dict[str, Any]:
    return make_bill(NOW)


def test_components_have_their_pinned_version_and_hashes(bill: dict[str, Any]) -> None:
    pins, parts = read_pins(), {one["name"]: one for one in bill["components"]}
    for name in ("msgspec", "pycurl", "tantivy", "pyarrow", "click"):
        assert parts[name]["version"] == pins[name].version
        (files,) = [one["hashes"] for one in parts[name]["externalReferences"]]
        assert {one["content"] for one in files} == set(pins[name].hashes)
        assert parts[name]["licenses"]
    assert "pytest" not in parts, "what only developers need is not shipped"


def test_what_the_wheel_contains_is_listed(bill: dict[str, Any]) -> None:
    parts = {one["name"]: one for one in bill["components"]}
    assert {"htmx.org", "uplot", "sigma", "graphology"} <= parts.keys()
    assert parts["htmx.org"]["purl"].startswith("pkg:npm/htmx.org@")
    assert parts["htmx.org"]["externalReferences"][0]["hashes"][0]["alg"] == "SHA-512"
    assert parts["gossamer-language-model"]["hashes"]


def test_every_reference_leads_to_a_component(bill: dict[str, Any]) -> None:
    known = {one["bom-ref"] for one in (*bill["components"], bill["metadata"]["component"])}
    assert len(known) == len(bill["components"]) + 1
    assert {ref for one in bill["dependencies"] for ref in (one["ref"], *one["dependsOn"])} == known


def test_equal_pins_give_the_same_bill(bill: dict[str, Any]) -> None:
    assert make_bill(NOW) == bill
    assert find_direct(["numpy>=2", "typer"]) == {"numpy", "typer"}


@pytest.mark.slow
@pytest.mark.skipif(
    not RELEASE_TOOLS.exists(), reason="no environment `release-tools`: `make release` makes it"
)
def test_the_bill_is_valid(tmp_path: Path) -> None:
    subprocess.run([sys.executable, "tools/bill_of_materials.py", str(tmp_path)], cwd=REPOSITORY, check=True)
    (path,) = tmp_path.glob("*.cdx.json")
    ran = subprocess.run(
        [str(RELEASE_TOOLS), "tools/check_bill.py", str(path)], cwd=REPOSITORY, capture_output=True, text=True
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr
    path.write_text(path.read_text("utf-8").replace('"library"', '"libary"', 1), "utf-8")
    ran = subprocess.run(
        [str(RELEASE_TOOLS), "tools/check_bill.py", str(path)], cwd=REPOSITORY, capture_output=True, text=True
    )
    assert ran.returncode == 1
