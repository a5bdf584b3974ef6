"""Environments that contain the wheel and chosen packages only: linked from this one, or installed by pip."""

import os
import subprocess
import sys
from collections.abc import Iterable
from importlib import metadata
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parents[2]
EXTRAS = ("documents", "graph", "lab", "parquet", "search", "serve")
"""The extras for users; `dev` and `bench` are for the checkout."""


def pack_wheel(folder: Path) -> Path:
    """Pack a wheel from the modules that are compiled in src/, and return its path."""
    folder.mkdir()
    command: list[str | Path] = [
        sys.executable,
        "-W",
        "ignore",
        "setup.py",
        "--quiet",
        "egg_info",
        "--egg-base",
        folder,
    ]
    command += ["build", "--build-base", folder / "build", "bdist_wheel", "--dist-dir", folder / "dist"]
    subprocess.run(command, cwd=ROOT, env=os.environ | {"REUSE_COMPILED": "1"}, check=True, timeout=600)
    [wheel] = (folder / "dist").glob("*.whl")
    return wheel


def install_alone(wheel: Path, folder: Path) -> Path:
    """Install a wheel into an empty environment, without what it requires; return the folder of its packages."""
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder], check=True, timeout=600)
    pip: list[str | Path] = [
        sys.executable,
        "-m",
        "pip",
        "--python",
        folder / "bin" / "python",
        "--disable-pip-version-check",
    ]
    install: list[str | Path] = ["install", "--quiet", "--no-deps", "--no-index", "--no-compile", wheel]
    subprocess.run([*pip, *install], check=True, timeout=600)
    [site] = folder.glob("lib/python*/site-packages")
    return site


def list_requirements(site: Path) -> dict[str, set[str]]:
    """Return the packages that the installed wheel requires, and those that they require: "" without extras, and by extra."""
    [wheel] = metadata.distributions(name="gossamer", path=[str(site)])
    required = {extra: _close(wheel.requires or [], extra) for extra in ("", *EXTRAS)}
    return {extra: names - (required[""] if extra else set()) for extra, names in required.items()}


def find_satisfied(required: dict[str, set[str]], extra: str) -> set[str]:
    """Return the extras that are complete where one is installed."""
    return {each for each in EXTRAS if extra and required[each] <= required[extra]}


def link_packages(names: Iterable[str], folder: Path) -> None:
    """Link packages of this environment into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in names:
        package = metadata.distribution(name)
        tops = {file.parts[0] for file in package.files or () if file.parts[0] not in ("..", "__pycache__")}
        for top in tops:
            if not (folder / top).exists():
                (folder / top).symlink_to(Path(str(package.locate_file(top))).resolve())


def _close(requirements: Iterable[str], extra: str) -> set[str]:
    """Return the names of packages that meet requirements, and of all that these require."""
    found: set[str] = set()
    waiting = [(Requirement(text), extra) for text in requirements]
    while waiting:
        requirement, wanted = waiting.pop()
        if requirement.marker is not None and not requirement.marker.evaluate({"extra": wanted}):
            continue
        name = canonicalize_name(requirement.name)
        inner = [*requirement.extras, ""] if name not in found else list(requirement.extras)
        found.add(name)
        needs = metadata.distribution(name).requires or []
        waiting += [(Requirement(text), each) for each in inner for text in needs]
    return found
