"""Show a program a wrong time of day."""

import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest


def compile_wrong_clock(folder: Path) -> str:
    """Compile the library that shows a wrong time of day, and check that it does."""
    compiler = shutil.which("cc") or shutil.which("gcc")
    if compiler is None:
        pytest.skip("a wrong clock needs a C compiler")
    library = folder / "wrong_clock.so"
    source = Path(__file__).with_name("wrong_clock.c")
    subprocess.run([compiler, "-shared", "-fPIC", "-O1", "-o", str(library), str(source), "-ldl"], check=True)
    shown = subprocess.run(
        [sys.executable, "-c", "import time; print(time.time())"],
        env=os.environ | set_clock(str(library), 100_000),
        capture_output=True,
        check=True,
    )
    assert float(shown.stdout) > time.time() + 50_000
    return str(library)


def set_clock(library: str, wrong_by_s: int) -> dict[str, str]:
    """Return the environment of a program whose clock is wrong by so many seconds."""
    return {"LD_PRELOAD": library, "WRONG_BY_S": str(wrong_by_s)}
