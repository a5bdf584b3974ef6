"""Compare `gossamer check` with a truth computed from the files alone, on Debian's documentation of Python and PostgreSQL.

The truth knows nothing of the crawl: it walks the files with lxml, resolves links with urllib, and looks up files and ids. It counts
for pages that links reach from the start page, as the check does. Run: python bench/link_check_truth.py
"""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from shutil import copytree
from urllib.parse import unquote, urljoin, urlsplit

from lxml import etree
from lxml import html as lxml_html

from command_line import run_benchmark
from nginx_site import find_free_port, run_nginx, write_servers

HOST = "127.0.18.1"
PACKAGES = ("python3.11-doc", "postgresql-doc-15")
DOCUMENTATION = Path("/usr/share/doc")
Found = set[tuple[str, str, str]]
"""Problem, target and source."""

_ATTRIBUTES = {
    ("a", "href"), ("area", "href"), ("img", "src"), ("script", "src"), ("link", "href"), ("iframe", "src"), ("frame", "src"),
    ("form", "action"), ("object", "data"), ("embed", "src"), ("source", "src"), ("video", "src"), ("audio", "src"),
}  # fmt: skip
_FOLLOWED = {"a", "area", "iframe", "frame", "form", "link"}


def write_site(folder: Path) -> Path:
    """Copy the documentation, so that nothing changes meanwhile, and write a start page; return the folder of the host."""
    root = folder / HOST
    for package in PACKAGES:
        copytree(DOCUMENTATION / package / "html", root / package)
    links = "".join(f'<a href="{package}/index.html">{package}</a>' for package in PACKAGES)
    (root / "index.html").write_text(f"<!DOCTYPE html><title>Start</title>{links}", "utf-8")
    return root


class Truth:
    """The links and ids of all files that links reach."""

    def __init__(self, root: Path, origin: str) -> None:
        self._root, self._origin = root, origin
        self._ids: dict[str, set[str]] = {}
        self.links: set[tuple[str, str]] = set()
        """Source and target, with fragment."""
        self._walk()

    def _find(self, url: str) -> Path | None:
        """Return the file that nginx serves for a URL."""
        path = self._root / unquote(urlsplit(url).path).lstrip("/")
        if path.is_dir() and urlsplit(url).path.endswith("/"):
            path /= "index.html"
        return path if path.is_file() else None

    def _walk(self) -> None:
        waiting = [f"{self._origin}/"]
        seen = set(waiting)
        while waiting:
            page = waiting.pop()
            path = self._find(page)
            if path is None or path.suffix != ".html":
                continue
            tree = lxml_html.document_fromstring(
                path.read_bytes(), parser=lxml_html.HTMLParser(encoding="utf-8")
            )
            self._ids[page] = {one.get("id") for one in tree.iter(etree.Element) if one.get("id")}
            self._ids[page] |= {one.get("name") for one in tree.iter("a") if one.get("name")}
            for element in tree.iter(etree.Element):
                for tag, attribute in _ATTRIBUTES:
                    value = element.get(attribute) if element.tag == tag else None
                    if value is None or value.lower().startswith(("mailto:", "javascript:", "data:")):
                        continue
                    if tag == "form" and element.get("method", "").lower() == "post":
                        continue
                    target = urljoin(page, value.strip())
                    if not target.startswith(f"{self._origin}/"):
                        continue
                    self.links.add((page, target))
                    bare = target.partition("#")[0]
                    if tag in _FOLLOWED and bare not in seen:
                        seen.add(bare)
                        waiting.append(bare)

    def find_broken(self) -> Found:
        """Return the broken links and fragments."""
        found: Found = set()
        for source, target in self.links:
            bare, _, fragment = target.partition("#")
            if self._find(bare) is None:
                found.add(("broken", bare, source))
            elif fragment not in ("", "top") and not {fragment, unquote(fragment)} & self._ids.get(
                bare, {fragment}
            ):
                found.add(("fragment", target, source))
        return found


def run_check(origin: str, folder: Path) -> Found:
    """Return the broken links and fragments that the check finds."""
    command = [
        sys.executable,
        "-m",
        "gossamer.cli.main",
        "check",
        f"{origin}/",
        "--no-external",
        "--json",
        "--web",
        str(folder),
    ]
    done = subprocess.run(command, stdout=subprocess.PIPE, check=False, env=os.environ)
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    print("check:", lines[-1], file=sys.stderr)
    return {
        (one["problem"], one["target"], one["source"])
        for one in lines[:-1]
        if one["problem"] in ("broken", "fragment") and one["source"].endswith((".html", "/"))
    }


def measure() -> dict[str, float]:
    """Print both, and what only one of them has; return how many links these are, or nothing without the documentation."""
    if missing := [one for one in PACKAGES if not (DOCUMENTATION / one / "html").is_dir()]:
        print(f"link_check_truth: install {', '.join(missing)}", file=sys.stderr)
        return {}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        root = write_site(folder)
        port = find_free_port([HOST])
        origin = f"http://{HOST}:{port}"
        truth = Truth(root, origin).find_broken()
        with run_nginx(write_servers([HOST], port, folder), HOST, port, folder / "nginx"):
            found = run_check(origin, folder / "web")
    print(
        f"truth: {len(truth)} broken links, check: {len(found)}, both: {len(truth & found)}", file=sys.stderr
    )
    for title, only in (("only in the truth", truth - found), ("only in the check", found - truth)):
        for one in sorted(only)[:20]:
            print(f"{title}: {one}", file=sys.stderr)
    return {
        "link_check_truth.differences": float(len(truth ^ found)),
        "link_check_truth.broken": float(len(truth)),
    }


if __name__ == "__main__":
    sys.exit(run_benchmark("link_check_truth", measure, "--json" in sys.argv[1:]))
