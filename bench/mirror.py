"""Mirror Debian's Python documentation: cost against wget2, pages that look the same, and what a second run writes.

The site is served by nginx. `gossamer mirror` and `wget2 --mirror --convert-links --page-requisites` take it alternately,
and the CPU time of each whole program counts. Then pages are opened in Chromium: those of the site, those of the mirror
without a network, and those of the archive in pywb and in the copies of `gossamer serve`.

    python bench/mirror.py [--json]
"""

import json
import os
import random
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import quote

from command_line import run_benchmark
from crawlers import make_environment
from nginx_site import find_free_port, run_nginx
from run_program import run_measured

REPOSITORY = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(REPOSITORY))

from tests.browser.pictures import (  # noqa: E402 - by the path above
    compare_pictures,
    find_browser,
    open_browser,
    open_context,
    take_shot,
)

DOCUMENTATION = Path("/usr/share/doc/python3.11/html")
ADDRESS = "127.0.18.1"
ROUNDS, LOOKED_AT, CHANGED_SHARE = 3, 50, 0.01
LONGEST_S = 600.0
_TYPES = (
    "types { text/html html; text/plain txt; text/css css; application/javascript js; image/png png; image/svg+xml svg; "
    "image/x-icon ico; image/gif gif; image/jpeg jpg; application/xml xml; }"
)
TOOLS = Path(sys.prefix) / "archive-tools" / "bin"


def measure(rounds: int = ROUNDS, looked_at: int = LOOKED_AT) -> dict[str, float]:
    """Measure everything that is installed here."""
    if not DOCUMENTATION.is_dir():
        print("not installed: python3.11-doc", file=sys.stderr)
        return {}
    with tempfile.TemporaryDirectory(prefix="mirror-") as name:
        folder = Path(name)
        shutil.copytree(DOCUMENTATION, folder / "site", ignore_dangling_symlinks=True)
        port = find_free_port([ADDRESS])
        server = f"server {{ listen {ADDRESS}:{port}; root {folder / 'site'}; {_TYPES} "
        server += "default_type text/plain; open_file_cache off; }"
        with run_nginx(server, ADDRESS, port, folder / "nginx"):
            home = f"http://{ADDRESS}:{port}/"
            found = compare_costs(home, folder, rounds)
            found |= look_at_mirror(home, folder / "copy", looked_at)
            found |= look_at_archive(home, folder / "copy" / ".gossamer" / "web", folder, looked_at)
            return found | mirror_again(home, folder)


def make_mirror_command(home: str, folder: Path) -> list[str]:
    """Make the command of Gossamer; only pauses are off."""
    return [
        *(sys.executable, "-m", "gossamer.cli.main", "mirror", home, str(folder), "--json", "--delete"),
        *("--delay", "0", "--adaptive", "0", "--allow-private", "127.0.0.0/8"),
    ]


def make_wget2_command(home: str, folder: Path) -> list[str]:
    """Make the command of wget2 that mirrors with requisites and rewrites links."""
    return [
        *("wget2", "--no-config", "--mirror", "--convert-links", "--page-requisites", "--adjust-extension"),
        *("--no-verbose", f"--directory-prefix={folder}", home),
    ]


def compare_costs(home: str, folder: Path, rounds: int) -> dict[str, float]:
    """Let both programs mirror the site alternately; return the ratio of the least CPU times."""
    programs: dict[str, Callable[[str, Path], list[str]]] = {"gossamer": make_mirror_command}
    if shutil.which("wget2"):
        programs["wget2"] = make_wget2_command
    best: dict[str, float] = {}
    for number in range(rounds):
        for name, make_command in programs.items():
            target = (
                folder / f"{name}-{number}"
            )  # a new one: a file system is slow where it has just removed files
            os.sync()  # no program starts while writes of another are pending
            output = folder / "output.txt"
            cost = run_measured(make_command(home, target), output, make_environment(), LONGEST_S)
            files = len(list_files(target))
            print(f"round {number + 1}: {name} {cost.cpu_s:.2f} s, {files} files", file=sys.stderr)
            best[name] = min(best.get(name, cost.cpu_s), cost.cpu_s)
    (folder / "gossamer-0").rename(folder / "copy")
    pages = len([path for path in list_files(folder / "copy") if path.suffix == ".html"])
    found = {"mirror.cpu_ms_per_page": best["gossamer"] / pages * 1e3}
    if "wget2" in best:
        found["mirror.cpu_vs_wget2"] = best["gossamer"] / best["wget2"]
    return found


def list_files(folder: Path) -> list[Path]:
    """Return the files of a mirror, without its state."""
    return [path for path in folder.rglob("*") if path.is_file() and ".gossamer" not in path.parts]


def choose_pages(mirror: Path, number: int) -> list[str]:
    """Choose pages at random, always the same ones; return their paths below the host."""
    host = next(path for path in mirror.iterdir() if path.is_dir() and path.name.startswith(ADDRESS))
    paths = sorted(str(path.relative_to(host)) for path in host.rglob("*.html") if "~" not in path.name)
    return random.Random(7).sample(paths, min(number, len(paths)))


def look_at_mirror(home: str, mirror: Path, number: int) -> dict[str, float]:
    """Compare pages of the mirror, opened offline, with the same pages of the site."""
    if find_browser() is None:
        return {}
    host = next(path for path in mirror.iterdir() if path.is_dir() and path.name.startswith(ADDRESS))
    alike, same, outside = [], 0, 0
    with open_browser() as browser, open_context(browser) as online, open_context(browser, True) as offline:
        for path in choose_pages(mirror, number):
            live, copy = take_shot(online, home + path), take_shot(offline, (host / path).as_uri())
            alike.append(compare_pictures(live.png, copy.png))
            same += live.text == copy.text
            outside += sum(not address.startswith((mirror.as_uri(), "data:")) for address in copy.asked)
            if alike[-1] < 0.98 or live.text != copy.text:
                print(
                    f"{path}: similarity {alike[-1]:.3f}, text same: {live.text == copy.text}",
                    file=sys.stderr,
                )
    print(f"mirror: {len(alike)} pages, least similarity {min(alike):.4f}", file=sys.stderr)
    return {
        "mirror.least_similarity": min(alike),
        "mirror.mean_similarity": sum(alike) / len(alike),
        "mirror.same_texts": same / len(alike),
        "mirror.requests_outside": outside,
    }


def mirror_again(home: str, folder: Path) -> dict[str, float]:
    """Change one page in a hundred and mirror again; return how many files were written for each that has changed."""
    pages = sorted(path for path in (folder / "site").rglob("*.html") if not path.is_symlink())
    wanted = {path.name for path in list_files(folder / "copy")}
    pages = [path for path in pages if path.name in wanted and path.name != "index.html"]
    changed = random.Random(3).sample(pages, max(1, round(CHANGED_SHARE * len(pages))))
    for path in changed:
        path.write_bytes(path.read_bytes() + b"<!-- changed -->")
    ran = subprocess.run(make_mirror_command(home, folder / "copy"), capture_output=True, check=True)
    lines = [json.loads(line) for line in ran.stdout.splitlines()]
    counts = next(line for line in lines if "mirror" in line)
    sent = next(line["counts"]["bytes"] for line in lines if line.get("event") == "end")
    whole = sum(path.stat().st_size for path in changed)
    print(
        f"{len(changed)} of {len(pages)} pages changed, {whole} bytes; {sent} bytes received; {counts}",
        file=sys.stderr,
    )
    return {
        "mirror.written_vs_changed": counts["written"] / len(changed),
        "mirror.received_vs_changed_bytes": sent / whole,
    }


def look_at_archive(home: str, web: Path, folder: Path, number: int) -> dict[str, float]:
    """Compare the archived pages, as pywb and our own copies show them, with the pages of the site."""
    if find_browser() is None:
        return {}
    paths = choose_pages(web.parents[1], number)
    found: dict[str, float] = {}
    with open_browser() as browser, open_context(browser, scripts=False) as plain:
        live = {home + path: take_shot(plain, home + path).png for path in paths}
        with serve_copies(web) as copies:
            found |= look_at_replay(
                "own", plain, live, lambda url: f"{copies}cached/page?url={quote(url, '')}"
            )
        if TOOLS.is_dir():
            with serve_pywb(web, folder / "pywb") as wayback:
                found |= look_at_replay("pywb", plain, live, lambda url: f"{wayback}mp_/{url}")
    return found


def look_at_replay(
    name: str, plain: Any, live: dict[str, bytes], to_address: Callable[[str], str]
) -> dict[str, float]:
    """Compare pictures of the site with what a program replays. Copies run no scripts, so the site ran none either."""
    alike, failed = [], 0
    for url, picture in live.items():
        copy = take_shot(plain, to_address(url))
        alike.append(compare_pictures(picture, copy.png))
        failed += len(copy.failed)
        if alike[-1] < 0.98:
            print(f"{name}: {url}: similarity {alike[-1]:.3f} {copy.failed[:3]}", file=sys.stderr)
    print(f"{name}: {len(alike)} pages, least similarity {min(alike):.4f}", file=sys.stderr)
    return {
        f"mirror.replay_{name}_least_similarity": min(alike),
        f"mirror.replay_{name}_failed_requests": failed,
    }


@contextmanager
def serve_copies(web: Path) -> Iterator[str]:
    """Serve a web with `gossamer serve` until the block ends."""
    port = find_free_port(["127.0.0.1"])
    command = [sys.executable, "-m", "gossamer.cli.main", "serve", "--json", "--time", "1800"]
    command += ["--host", "127.0.0.1", "--port", str(port), "--web", str(web)]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as running:
        assert running.stdout is not None
        yield json.loads(running.stdout.readline())["address"]
        running.terminate()


@contextmanager
def serve_pywb(web: Path, folder: Path) -> Iterator[str]:
    """Serve the archive of a web with pywb until the block ends."""
    collection = folder / "collections" / "web"
    (collection / "archive").mkdir(parents=True)
    (collection / "indexes").mkdir()
    lines: list[str] = []
    for path in sorted((web / "archive").glob("*.warc.gz")):
        (collection / "archive" / path.name).symlink_to(path)
        lines += path.with_name(path.name.replace(".warc.gz", ".cdxj")).read_text("utf-8").splitlines()
    (collection / "indexes" / "index.cdxj").write_text(
        "".join(f"{line}\n" for line in sorted(lines)), "utf-8"
    )
    port = find_free_port(["127.0.0.1"])
    command = [str(TOOLS / "wayback"), "-b", "127.0.0.1", "-p", str(port), "-d", str(folder)]
    with (folder / "log").open("wb") as log, subprocess.Popen(command, stdout=log, stderr=log) as running:
        for _ in range(600):
            try:
                socket.create_connection(("127.0.0.1", port), 1).close()
                break
            except OSError:
                time.sleep(0.1)
        yield f"http://127.0.0.1:{port}/web/"
        running.terminate()


if __name__ == "__main__":
    sys.exit(run_benchmark("mirror", measure, "--json" in sys.argv[1:]))
