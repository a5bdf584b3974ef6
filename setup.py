"""What pyproject.toml cannot say: each .pyx file of the source tree is compiled into the module of its name."""

from pathlib import Path

from Cython.Build import cythonize
from setuptools import Extension, setup

SOURCE = Path("src")


def compiled(path: Path) -> Extension:
    """Describe one compiled module. The flags suit every machine of its kind: wheels travel."""
    name = ".".join(path.relative_to(SOURCE).with_suffix("").parts)
    return Extension(name, [path.as_posix()], extra_compile_args=["-O3", "-g0"])


modules = cythonize([compiled(path) for path in sorted(SOURCE.rglob("*.pyx"))], language_level=3, quiet=True)
# The C compiler takes longer than all the rest of an installation: two at a time.
setup(ext_modules=modules, options={"build_ext": {"parallel": 2}})
