"""What pyproject.toml cannot say: each .pyx file is compiled into the module of its name, and pages get their scripts."""

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


def compiled(path: Path) -> Extension:
    """Describe one compiled module. The flags suit every machine of its kind: wheels travel."""
    name = ".".join(path.relative_to(SOURCE).with_suffix("").parts)
    return Extension(name, [path.as_posix()], extra_compile_args=["-O3", "-g0"])


class WithScripts(build_py):
    """Fetches what others wrote for pages, by the lock file; where that cannot be had, pages do without."""

    def run(self) -> None:
        """Fetch, then build as ever."""
        try:
            self.fetch()
        except (OSError, subprocess.SubprocessError) as error:
            self.warn(f"pages go without {SCRIPT.name}, which npm could not fetch: {error}")
        super().run()

    def fetch(self) -> None:
        """Let npm fetch the scripts, away from the source tree, and take what pages load."""
        with tempfile.TemporaryDirectory() as folder:
            for name in ("package.json", "package-lock.json"):
                shutil.copy(PAGES / name, folder)
            subprocess.run([shutil.which("npm") or "npm", *NPM_CI], cwd=folder, check=True, timeout=120)  # noqa: S603 - written here
            shutil.copy(Path(folder) / SCRIPT, PAGES / "static")


modules = cythonize([compiled(path) for path in sorted(SOURCE.rglob("*.pyx"))], language_level=3, quiet=True)
# The C compiler takes longer than all the rest of an installation: two at a time.
setup(ext_modules=modules, cmdclass={"build_py": WithScripts}, options={"build_ext": {"parallel": 2}})
