"""Make a wheel for each Python at hand, install it with pip into empty environments, and try every verb there.

    python -m tests.wheel.make_wheels                     every Python from 3.11 on that is found
    python -m tests.wheel.make_wheels python3.12 …        these

Compiling takes two to three minutes for each Python. A wheel that passes is moved to dist/.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from itertools import chain
from pathlib import Path

from tests.wheel.environments import EXTRAS, ROOT, find_satisfied, list_requirements
from tests.wheel.trials import TRIALS, serve_site, try_verbs, write_inputs

_OLDEST = (3, 11)
_WORDS = "import sys, venv, ensurepip; print(*sys.version_info[:2])"
_HASHED = ["install", "--quiet", "--require-hashes", "--no-build-isolation"]
_WHERE = (".pyenv/versions/*/bin/{}", ".local/share/uv/python/*/bin/{}")


def find_pythons(named: Sequence[str]) -> dict[str, str]:
    """Return a program for each version of Python that can be used, this one first; say which cannot."""
    wanted = [[name, *_find_installed(name)] for name in named]
    found: dict[str, str] = {}
    for programs in wanted or [[program] for program in (sys.executable, *_list_candidates())]:
        usable = [(version, program) for program in programs if (version := _ask_version(program)) >= _OLDEST]
        if named and not usable:
            raise SystemExit(
                f"{programs[0]} cannot be started, or is no Python from 3.11 on with venv and ensurepip."
            )
        for version, program in usable[:1]:
            found.setdefault(".".join(map(str, version)), program)
    return found


def _list_candidates() -> Iterator[str]:
    yield from filter(None, (shutil.which(f"python3.{minor}") for minor in range(11, 20)))
    yield from _find_installed("python3")


def _find_installed(name: str) -> list[str]:
    """Return where pyenv and uv have installed a Python: pyenv's own python3.12 starts only versions that are switched on."""
    return sorted(str(path) for where in _WHERE for path in Path.home().glob(where.format(Path(name).name)))


def _ask_version(program: str) -> tuple[int, ...]:
    """Return the version of a Python; () if it cannot be used."""
    try:
        ran = subprocess.run([program, "-c", _WORDS], capture_output=True, text=True, timeout=60, check=True)
    except (OSError, subprocess.SubprocessError):
        return ()
    return tuple(map(int, ran.stdout.split()))


def make_wheel(program: str, folder: Path) -> Path:
    """Compile the modules for a Python, and return the wheel."""
    folder.mkdir(parents=True)
    python = _make_environment(program, folder / "build-env")
    _pip(python, *_HASHED, "--constraint", "constraints.txt", "--group", "build")
    command: list[str | Path] = [
        python,
        "-W",
        "ignore",
        "setup.py",
        "--quiet",
        "egg_info",
        "--egg-base",
        folder,
    ]
    command += ["build", "--build-base", folder / "build", "bdist_wheel", "--dist-dir", folder]
    subprocess.run(command, cwd=ROOT, check=True)
    [wheel] = folder.glob("*.whl")
    return wheel


def try_wheel(program: str, wheel: Path, folder: Path) -> list[str]:
    """Install a wheel with base requirements, then with each extra; return what went wrong."""
    python = _make_environment(program, folder / "env")
    _install_requirements(python, [], folder)
    _pip(python, "install", "--quiet", "--no-deps", "--no-index", wheel)
    [site] = (folder / "env").glob("lib/python*/site-packages")
    required = list_requirements(site)
    gossamer = [str(python.with_name("gossamer"))]
    wrong = []
    for extra in ("", *EXTRAS):
        path = folder / f"packages-{extra}"
        if extra:
            _install_requirements(python, [extra], folder, "--target", path)
        write_inputs(folder / f"work-{extra}")
        with serve_site(folder / f"work-{extra}") as page:
            satisfied = find_satisfied(required, extra)
            faults = try_verbs(
                gossamer, folder / f"work-{extra}", page, TRIALS, satisfied, str(path) if extra else ""
            )
        print(f"  {extra or 'base'}: {len(TRIALS) - len(faults)} of {len(TRIALS)} trials passed", flush=True)
        wrong += [f"with the extra {extra or 'none'}: {fault}" for fault in faults]
    return wrong


def _make_environment(program: str, folder: Path) -> Path:
    """Make an environment with the pinned pip; return its Python."""
    subprocess.run([program, "-m", "venv", folder], check=True)
    lines = (ROOT / "constraints.txt").read_text("utf-8").splitlines()
    begin = next(number for number, line in enumerate(lines) if line.startswith("pip=="))
    end = next(number for number in range(begin, len(lines)) if not lines[number].endswith("\\"))
    (folder / "pip.txt").write_text("\n".join(lines[begin : end + 1]))
    _pip(folder / "bin" / "python", *_HASHED, "--requirement", folder / "pip.txt")
    return folder / "bin" / "python"


def _install_requirements(python: Path, extras: Sequence[str], folder: Path, *more: str | Path) -> None:
    listed = subprocess.run(
        [sys.executable, "tools/list_requirements.py", *extras], cwd=ROOT, capture_output=True, check=True
    )
    (folder / "requirements.txt").write_bytes(listed.stdout)
    _pip(
        python,
        *_HASHED,
        *more,
        "--constraint",
        "constraints.txt",
        "--requirement",
        folder / "requirements.txt",
    )


def _pip(python: Path, *arguments: str | Path) -> None:
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    command = [python, "-m", "pip", "--disable-pip-version-check", *arguments]
    subprocess.run(command, cwd=ROOT, env=environment, check=True)


def main(named: Sequence[str]) -> int:
    """Make and try the wheels; return the exit code."""
    pythons = find_pythons(named)
    print("Pythons at hand:", ", ".join(pythons))
    wrong: dict[str, list[str]] = {}
    (ROOT / "dist").mkdir(exist_ok=True)
    for version, program in pythons.items():
        print(f"Python {version}: making the wheel, which takes two to three minutes …", flush=True)
        with tempfile.TemporaryDirectory() as folder:
            wheel = make_wheel(program, Path(folder) / "made")
            wrong[version] = try_wheel(program, wheel, Path(folder))
            if not wrong[version]:
                shutil.copy(wheel, ROOT / "dist")
                print(f"  dist/{wheel.name}")
    for version, faults in wrong.items():
        print(*(f"Python {version}, {fault}" for fault in faults), sep="\n")
    return int(any(chain(*wrong.values())))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
