"""The compiled parts, each of them, read hostile input without an error that a sanitizer finds; `make sanitize` does this for longer."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).parents[2]
BUILD = REPOSITORY / "build" / "sanitized"
# A guard against hanging: building what has changed takes seconds, the rounds take less than ten.
LONGEST_S = 900


def fuzz(*options: str) -> str:
    command = [sys.executable, "bench/fuzzing/run.py", *options]
    ran = subprocess.run(command, cwd=REPOSITORY, capture_output=True, text=True, timeout=LONGEST_S)
    assert ran.returncode == 0, ran.stdout + ran.stderr[-4_000:]
    return ran.stdout


LIST_COVERED = """
import json, sys
sys.path.insert(0, "bench")
from fuzzing import covered_modules, file_targets, graph_targets, page_targets, text_targets
targets = [*page_targets.TARGETS, *text_targets.TARGETS, *file_targets.TARGETS, *graph_targets.TARGETS]
print(json.dumps({"covered": covered_modules.COVERED_BY, "targets": targets}))
"""


def test_every_compiled_module_has_a_fuzz_target() -> None:
    command = [sys.executable, "-c", LIST_COVERED]
    ran = subprocess.run(
        command, cwd=REPOSITORY, capture_output=True, text=True, timeout=LONGEST_S, check=True
    )
    found = json.loads(ran.stdout)
    package = REPOSITORY / "src" / "gossamer"
    modules = {path.relative_to(package).with_suffix("").as_posix() for path in package.rglob("*.pyx")}
    assert found["covered"].keys() == modules, "bench/fuzzing/covered_modules.py names them"
    assert set(found["covered"].values()) <= set(found["targets"])


@pytest.mark.slow
def test_nothing_raises_on_the_normal_build() -> None:
    assert "at least 4 for each" in fuzz("--seconds", "300", "--rounds", "4")


@pytest.mark.slow
@pytest.mark.skipif(
    not BUILD.is_dir(), reason="no build with sanitizers: `make sanitize` makes it, in two minutes"
)
def test_no_sanitizer_stops_a_round() -> None:
    build = [sys.executable, "setup.py", "--quiet", "build"]
    folders = ["--build-base", str(BUILD), "--build-lib", str(BUILD / "lib")]
    environment = {**os.environ, "SANITIZE": "1"}
    subprocess.run(
        build + folders, cwd=REPOSITORY, env=environment, check=True, timeout=LONGEST_S, capture_output=True
    )
    assert " 0 findings" in fuzz("--sanitized", "--seconds", "8", "--rounds", "10")
