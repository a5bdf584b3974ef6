"""Run fuzz targets for a limited time and number of rounds; `make sanitize` runs them on a build with sanitizers.

Each round has a seed of its own, so a finding can be repeated alone. Nothing may raise but the errors for bad input, and
a sanitizer ends the process at its first report; then the parent process names the round.
python bench/fuzzing/run.py --seconds 60 --seed 1
python bench/fuzzing/run.py --seed 1 --target "made page" --round 17
"""

import argparse
import os
import random
import subprocess
import sys
import tempfile
import time
from collections import Counter
from itertools import product
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

SANITIZED = Path(__file__).resolve().parents[2] / "build" / "sanitized" / "lib"
"""Where `make sanitize` builds the program."""
_EXIT_S = 120.0
_STOPPED = 66
_OPTIONS = {
    # Python keeps objects until it exits, which counts as leaks. Its own allocator would hide what lies behind an object.
    "ASAN_OPTIONS": f"detect_leaks=0:abort_on_error=0:allocator_may_return_null=1:quarantine_size_mb=64:exitcode={_STOPPED}",
    "UBSAN_OPTIONS": f"print_stacktrace=1:halt_on_error=1:exitcode={_STOPPED}",
    "PYTHONMALLOC": "malloc",
}


def find_libraries() -> list[str]:
    """Return gcc's address sanitizer, and libstdc++, whose exceptions it must find before others load it; [] without them."""
    found = []
    for name in ("libasan.so", "libstdc++.so.6"):
        try:
            asked = ["gcc", f"-print-file-name={name}"]
            path = Path(subprocess.run(asked, capture_output=True, text=True, check=True).stdout.strip())
        except (OSError, subprocess.SubprocessError):
            return []
        if not path.is_absolute() or not path.exists():
            return []
        found.append(str(path.resolve()))
    return found


def fuzz(arguments: argparse.Namespace, note: Path) -> int:
    """Run rounds until time or number is used up; write into `note` what is under way."""
    import gossamer
    from fuzzing import file_targets, graph_targets, page_targets, text_targets

    if arguments.note and not Path(gossamer.__file__).is_relative_to(SANITIZED):
        sys.exit(f"{gossamer.__file__} is not the sanitized build")
    targets = {
        **page_targets.TARGETS,
        **text_targets.TARGETS,
        **file_targets.TARGETS,
        **graph_targets.TARGETS,
    }
    chosen = [arguments.target] if arguments.target else list(targets)
    first = arguments.round if arguments.round is not None else 0
    last = first + (1 if arguments.round is not None else arguments.rounds)
    until_s, failed, done = time.monotonic() + arguments.seconds, 0, Counter[str]()
    with tempfile.TemporaryDirectory() as folder, note.open("r+b", buffering=0) as status:
        for number, name in product(range(first, last), chosen):
            if time.monotonic() >= until_s:
                break
            status.seek(0)
            status.write(f"{name}\t{number}".ljust(60).encode())
            try:
                targets[name](random.Random(f"{arguments.seed} {name} {number}"), Path(folder))
            except Exception as error:  # noqa: BLE001 - any exception at all is the finding
                failed += 1
                told = f"{type(error).__name__}: {error}"
                print(f"{_repeat(arguments.seed, name, number)}: {told}", file=sys.stderr)
            done[name] += 1
    least = min(done[name] for name in chosen)
    if least and not arguments.target:
        failed += report_unused_modules()
    print(f"{done.total()} inputs, at least {least} for each of {len(chosen)} targets, {failed} findings")
    return failed


def report_unused_modules() -> int:
    """Name the compiled modules that no target has loaded; return their number."""
    from fuzzing.covered_modules import COVERED_BY

    unused = {
        name: target
        for name, target in COVERED_BY.items()
        if f"gossamer.{name}".replace("/", ".") not in sys.modules
    }
    for name, target in unused.items():
        print(f"the target {target!r} has not used {name}.pyx", file=sys.stderr)
    return len(unused)


def _repeat(seed: int, target: str, number: int) -> str:
    return f"python bench/fuzzing/run.py --seed {seed} --target {target!r} --round {number}"


def run_sanitized(given: list[str], seed: int, seconds: float) -> int:
    """Run this script again on the sanitized build; say which round a sanitizer has stopped."""
    libraries = find_libraries()
    if not libraries or not SANITIZED.is_dir():
        sys.exit("there is no sanitized build: run `make sanitize`, with gcc and its libasan installed")
    with tempfile.NamedTemporaryFile() as note:
        environment = {
            **os.environ,
            **_OPTIONS,
            "LD_PRELOAD": " ".join(libraries),
            "PYTHONPATH": str(SANITIZED),
        }
        command = [sys.executable, __file__, *given, "--note", note.name]
        ended = subprocess.run(command, env=environment, timeout=10 * seconds + _EXIT_S).returncode
        name, _, number = Path(note.name).read_text("utf-8").strip().partition("\t")
    if ended not in (0, 1):
        print(f"a sanitizer stopped  {_repeat(seed, name, int(number or 0))} --sanitized", file=sys.stderr)
    return 1 if ended else 0


def main() -> None:
    """Read the options and run."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--rounds", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=20_011)
    parser.add_argument("--target", help="only this one")
    parser.add_argument("--round", type=int, help="only this one, to repeat a finding")
    parser.add_argument("--sanitized", action="store_true", help="on the build of `make sanitize`")
    parser.add_argument("--note", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.sanitized:
        given = [word for word in sys.argv[1:] if word != "--sanitized"]
        sys.exit(run_sanitized(given, arguments.seed, arguments.seconds))
    with tempfile.NamedTemporaryFile() as note:
        sys.exit(fuzz(arguments, Path(arguments.note or note.name)) > 0)


if __name__ == "__main__":
    main()
