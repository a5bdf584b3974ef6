"""The parts of the build that pyproject.toml cannot express: compile each .pyx file, and fetch the search page's script."""

import os
import shutil
import subprocess
import tempfile
from pathlib import Path

from Cython.Build import cythonize
from setuptools import Extension, setup
from setuptools.command.build_py import build_py

SOURCE = Path("src")
PAGES = SOURCE / "gossamer" / "ui"
SCRIPT = Path("node_modules", "htmx.org", "dist", "htmx.min.js")
NPM_CI = ("ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error")
# `make sanitize` sets this, and builds into a folder of its own. The first error ends the process, with a trace. Python compiles
# with -fwrapv, which would hide sums that overflow.
SANITIZES = bool(os.environ.get("SANITIZE"))
SANITIZERS = ["-fsanitize=address,undefined,float-cast-overflow", "-fno-sanitize-recover=all"]
COMPILE_ARGS = (
    ["-O1", "-g1", "-fno-wrapv", "-fno-omit-frame-pointer", *SANITIZERS] if SANITIZES else ["-O3", "-g0"]
)
LINK_ARGS = SANITIZERS if SANITIZES else []


def describe_extension(path: Path) -> Extension:
    """Describe one compiled module. The flags suit every machine of the platform, since wheels are copied between machines."""
    name = ".".join(path.relative_to(SOURCE).with_suffix("").parts)
    return Extension(name, [path.as_posix()], extra_compile_args=COMPILE_ARGS, extra_link_args=LINK_ARGS)


class BuildWithScript(build_py):
    """Fetches the script of the search page with npm, by the lock file; without npm, the page works without it."""

    def run(self) -> None:
        """Fetch the script, then build as usual."""
        try:
            if not SANITIZES:
                self.fetch_script()
        except (OSError, subprocess.SubprocessError) as error:
            self.warn(f"the search page will make no suggestions: npm could not fetch {SCRIPT.name}: {error}")
        super().run()

    def fetch_script(self) -> None:
        """Let npm install into a temporary folder, and copy the script that pages load."""
        with tempfile.TemporaryDirectory() as folder:
            for name in ("package.json", "package-lock.json"):
                shutil.copy(PAGES / name, folder)
            subprocess.run([shutil.which("npm") or "npm", *NPM_CI], cwd=folder, check=True, timeout=120)  # noqa: S603 - fixed arguments
            shutil.copy(Path(folder) / SCRIPT, PAGES / "static")


modules = cythonize(
    [describe_extension(path) for path in sorted(SOURCE.rglob("*.pyx"))], language_level=3, quiet=True
)
# The C compiler takes longer than the rest of the installation: run two at a time.
setup(ext_modules=modules, cmdclass={"build_py": BuildWithScript}, options={"build_ext": {"parallel": 2}})
