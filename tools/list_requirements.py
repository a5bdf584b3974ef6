"""Print what pyproject.toml requires for some extras, one requirement a line, for `pip install --requirement`.

pip checks the hashes of what it downloads, and refuses to do so for a folder such as this one. So `make` installs the
requirements first, with hashes, and the program itself afterwards, without its dependencies.
python tools/list_requirements.py search serve
"""

import sys
import tomllib
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[1]


def list_requirements(extras: list[str]) -> list[str]:
    """Return the requirements of the program with these extras."""
    project = tomllib.loads((REPOSITORY / "pyproject.toml").read_text("utf-8"))["project"]
    known = project["optional-dependencies"]
    unknown = [extra for extra in extras if extra not in known]
    if unknown:
        raise SystemExit(f"pyproject.toml has no extra {unknown[0]!r}: choose from {', '.join(known)}")
    return sorted({*project["dependencies"], *(one for extra in extras for one in known[extra])})


if __name__ == "__main__":
    print(*list_requirements(sys.argv[1:]), sep="\n")
