"""Write the software bill of materials of a release: CycloneDX 1.6, in JSON.

It lists the program, every package that it and its extras need, with version, licence and the hashes of all files, and
what the wheel itself contains beside our code: the scripts of its pages and the language model.
python tools/bill_of_materials.py dist
"""

import base64
import hashlib
import json
import sys
import tomllib
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, metadata
from pathlib import Path
from typing import Any
from uuid import NAMESPACE_URL, uuid5

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from tools.pinned_packages import CONSTRAINTS, REPOSITORY, Pin, find_needed, read_pins

NOT_SHIPPED = ("dev", "bench")
"""Extras for those who work on the program."""
_SCRIPT_LOCK = REPOSITORY / "src" / "gossamer" / "ui" / "package-lock.json"
_MODEL = REPOSITORY / "src" / "gossamer" / "text" / "language" / "model" / "model.bin"
_LONGEST_NAME = 60


def make_bill(date: str) -> dict[str, Any]:
    """Return the bill of materials of this version."""
    project = tomllib.loads((REPOSITORY / "pyproject.toml").read_text("utf-8"))["project"]
    extras = {name: one for name, one in project["optional-dependencies"].items() if name not in NOT_SHIPPED}
    direct = [*project["dependencies"], *(one for several in extras.values() for one in several)]
    pins, needed = read_pins(), find_needed(direct)
    own = f"pkg:pypi/{project['name']}@{project['version']}"
    inside = [*_describe_scripts(), _describe_model(project["version"])]
    packages = {name: _describe_package(name, pins[name]) for name in sorted(needed)}
    depends = {
        packages[name]["bom-ref"]: [packages[one]["bom-ref"] for one in sorted(needed[name])]
        for name in packages
    }
    depends[own] = [
        *(packages[name]["bom-ref"] for name in sorted(find_direct(direct))),
        *(one["bom-ref"] for one in inside),
    ]
    described = {
        "type": "application",
        "bom-ref": own,
        "name": project["name"],
        "version": project["version"],
        "purl": own,
    }
    described |= {"description": project["description"], "licenses": [{"expression": project["license"]}]}
    return {
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "serialNumber": f"urn:uuid:{uuid5(NAMESPACE_URL, own + CONSTRAINTS.read_text('utf-8'))}",
        "version": 1,
        "metadata": {"timestamp": date, "component": described},
        "components": [*packages.values(), *inside],
        "dependencies": [{"ref": ref, "dependsOn": on} for ref, on in depends.items()],
    }


def find_direct(requirements: list[str]) -> set[str]:
    """Return the canonical names of packages that are required directly, on this platform."""
    return {name for one in requirements for name in list(find_needed([one]))[:1]}


def _describe_package(name: str, pin: Pin) -> dict[str, Any]:
    ref = f"pkg:pypi/{name}@{pin.version}"
    files = [{"alg": "SHA-256", "content": one} for one in pin.hashes]
    described: dict[str, Any] = {"type": "library", "bom-ref": ref, "name": name, "version": pin.version}
    # A version has several files: their hashes belong to the distribution, not to the component.
    described |= {"purl": ref, "externalReferences": [{"type": "distribution", "url": ref, "hashes": files}]}
    return described | _find_licence(name)


def _find_licence(name: str) -> dict[str, Any]:
    """Return the licence that an installed package declares; {} if it declares none, or a whole text."""
    try:
        facts = metadata(name)
    except PackageNotFoundError:
        return {}
    expressions, plain = (facts.get_all(field) or [] for field in ("License-Expression", "License"))
    if expressions:
        return {"licenses": [{"expression": expressions[0]}]}
    classifiers = [one for one in facts.get_all("Classifier") or [] if one.startswith("License ::")]
    named = [one.rpartition(" :: ")[2] for one in classifiers] or [
        text for text in plain if 0 < len(text) < _LONGEST_NAME
    ]
    return {"licenses": [{"license": {"name": one}} for one in sorted(set(named))]} if named else {}


def _describe_scripts() -> list[dict[str, Any]]:
    """Describe the scripts that pages load, by the lock file of npm; packages of types alone are not shipped."""
    packages = json.loads(_SCRIPT_LOCK.read_text("utf-8"))["packages"]
    return [_describe_script(path, one) for path, one in packages.items() if path and not one.get("peer")]


def _describe_script(path: str, one: dict[str, Any]) -> dict[str, Any]:
    name = path.removeprefix("node_modules/")
    algorithm, _, digest = str(one["integrity"]).partition("-")
    ref, content = f"pkg:npm/{name}@{one['version']}", base64.b64decode(digest).hex()
    described = {"type": "library", "bom-ref": ref, "name": name, "version": one["version"], "purl": ref}
    hashes = [{"alg": algorithm.upper().replace("SHA", "SHA-"), "content": content}]
    described |= {"externalReferences": [{"type": "distribution", "url": ref, "hashes": hashes}]}
    return described | {"licenses": [{"license": {"id": one["license"]}}]}


def _describe_model(version: str) -> dict[str, Any]:
    """Describe the language model, which is derived from word lists of others."""
    digest = hashlib.sha256(_MODEL.read_bytes()).hexdigest()
    described = {
        "type": "data",
        "bom-ref": "gossamer-language-model",
        "name": "gossamer-language-model",
        "version": version,
    }
    return described | {"hashes": [{"alg": "SHA-256", "content": digest}]}


if __name__ == "__main__":
    bill = make_bill(datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"))
    own = bill["metadata"]["component"]
    path = Path(sys.argv[1]) / f"{own['name']}-{own['version']}.cdx.json"
    path.write_text(json.dumps(bill, indent=2) + "\n", "utf-8")
    print(f"{path}: {len(bill['components'])} components")
