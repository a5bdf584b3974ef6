"""The parts of the build that pyproject.toml cannot express: compile each .pyx file, and fetch the scripts of pages."""

import itertools
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from Cython.Build import cythonize
from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext
from setuptools.command.build_py import build_py
from setuptools.modified import newer_group

SOURCE = Path("src")
PAGES = SOURCE / "gossamer" / "ui"
# What pages load of the packages in package-lock.json.
SCRIPTS = (
    "htmx.org/dist/htmx.min.js",
    "uplot/dist/uPlot.iife.min.js",
    "uplot/dist/uPlot.min.css",
    "graphology/dist/graphology.umd.min.js",
    "sigma/dist/sigma.min.js",
)
VENDOR = PAGES / "static" / "vendor"
NPM_CI = ("ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error")
# `make sanitize` sets this, and builds into a folder of its own. The first error ends the process, with a trace. Python compiles
# with -fwrapv, which would hide sums that overflow.
SANITIZES = bool(os.environ.get("SANITIZE"))
SANITIZERS = ["-fsanitize=address,undefined,float-cast-overflow", "-fno-sanitize-recover=all"]
COMPILE_ARGS = (
    ["-O1", "-g1", "-fno-wrapv", "-fno-omit-frame-pointer", *SANITIZERS] if SANITIZES else ["-O3", "-g0"]
)
LINK_ARGS = SANITIZERS if SANITIZES else []
# `make` sets this after it has compiled in place, and tests do to pack a wheel within seconds: modules are taken as they are
# in src/. pip builds in a folder of its own, and would compile all of them again.
REUSES = bool(os.environ.get("REUSE_COMPILED"))
# A compiler takes up to 0.5 GB for the largest module.
MOST_COMPILERS = 8


def describe_extension(path: Path) -> Extension:
    """Describe one compiled module. The flags suit every machine of the platform, since wheels are copied between machines."""
    name = ".".join(path.relative_to(SOURCE).with_suffix("").parts)
    return Extension(name, [path.as_posix()], extra_compile_args=COMPILE_ARGS, extra_link_args=LINK_ARGS)


def translate_modules() -> list[Extension]:
    """Translate the modules whose source has changed to C."""
    described = [describe_extension(path) for path in sorted(SOURCE.rglob("*.pyx"))]
    if REUSES:
        return described
    changed = [path for each in described for path in each.sources if is_changed(Path(path))]
    if changed:
        show(f"Translating {len(changed)} of {len(described)} modules to C …")
    translated: list[Extension] = cythonize(described, language_level=3, quiet=True)
    return translated


def is_changed(path: Path) -> bool:
    """Return whether a module has not been translated since its source was changed."""
    translated = path.with_suffix(".c")
    return not translated.exists() or translated.stat().st_mtime < path.stat().st_mtime


def show(line: str) -> None:
    """Show what is being done, for `make` and `pip install --verbose`."""
    print(line, file=sys.stderr, flush=True)  # noqa: T201 - output of the build


class BuildModules(build_ext):
    """Compiles the modules that have changed and says which, since all of them take minutes."""

    def build_extensions(self) -> None:
        """Compile as usual."""
        self.numbers = itertools.count(1)
        super().build_extensions()

    def build_extension(self, ext: Extension) -> None:
        """Compile one module, unless it is up to date, or take it as it is."""
        number, path = next(self.numbers), self.get_ext_fullpath(ext.name)
        if REUSES:
            compiled = SOURCE / self.get_ext_filename(ext.name)
            Path(path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(compiled, path)
            return
        if self.force or newer_group([*ext.sources, *ext.depends], path, "newer"):
            show(f"[{number}/{len(self.extensions)}] Compiling {ext.name}")
        super().build_extension(ext)


class BuildWithScripts(build_py):
    """Fetches the scripts of other projects with npm, by the lock file; without npm, pages work without them."""

    def run(self) -> None:
        """Fetch the scripts, then build as usual."""
        try:
            if not (SANITIZES or self.has_scripts()):
                self.fetch_scripts()
        except (OSError, subprocess.SubprocessError) as error:
            self.warn(
                f"pages will have no suggestions, curves and graphs: npm could not fetch scripts: {error}"
            )
        super().run()

    def has_scripts(self) -> bool:
        """Return whether all scripts are there, and were fetched after the lock file was written."""
        scripts, lock = [VENDOR / Path(name).name for name in SCRIPTS], PAGES / "package-lock.json"
        written_s = lock.stat().st_mtime
        return all(script.exists() and script.stat().st_mtime >= written_s for script in scripts)

    def fetch_scripts(self) -> None:
        """Let npm install into a temporary folder, and copy what pages load."""
        with tempfile.TemporaryDirectory() as folder:
            for name in ("package.json", "package-lock.json"):
                shutil.copy(PAGES / name, folder)
            subprocess.run([shutil.which("npm") or "npm", *NPM_CI], cwd=folder, check=True, timeout=120)  # noqa: S603 - fixed arguments
            VENDOR.mkdir(exist_ok=True)
            for script in SCRIPTS:
                shutil.copy(Path(folder, "node_modules", script), VENDOR)


# The C compiler takes longer than the rest of the installation: run one on each processor.
setup(
    ext_modules=translate_modules(),
    cmdclass={"build_ext": BuildModules, "build_py": BuildWithScripts},
    options={"build_ext": {"parallel": min(os.cpu_count() or 1, MOST_COMPILERS)}},
)
