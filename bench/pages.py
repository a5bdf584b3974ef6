"""The sample of real pages for benchmarks: HTML documentation as Debian installs it.

From each of three packages (python3.11-doc, postgresql-doc-15, debian-handbook), all pages of 15,000 to 120,000
bytes are sorted by path and thirty are taken at even distances: about 42 kB a page on average, mark-up by three
different generators, the handbook in many languages. The same versions of the packages give the same sample, with the
same digest. Without the packages it is empty.
"""

import hashlib
from pathlib import Path

import msgspec

DOCUMENTATION = Path("/usr/share/doc")
PACKAGES = ("python3.11-doc", "postgresql-doc-15", "debian-handbook")
PAGES_PER_PACKAGE = 30
MIN_BYTES = 15_000
MAX_BYTES = 120_000


class SamplePage(msgspec.Struct, frozen=True):
    """One page of the sample, with an address on a host named after its package."""

    url: str
    body: bytes


def read_documentation_pages() -> list[SamplePage]:
    """Read the sample, package by package; packages that are not installed are left out."""
    return [page for package in PACKAGES for page in _read_package(package)]


def _read_package(package: str) -> list[SamplePage]:
    root = DOCUMENTATION / package / "html"
    paths = sorted(path for path in root.rglob("*.html") if MIN_BYTES <= path.stat().st_size <= MAX_BYTES)
    if not paths:
        return []
    chosen = (paths[place * len(paths) // PAGES_PER_PACKAGE] for place in range(PAGES_PER_PACKAGE))
    return [
        SamplePage(f"http://{package}.example/{path.relative_to(root).as_posix()}", path.read_bytes())
        for path in chosen
    ]


def compute_digest(pages: list[SamplePage]) -> str:
    """Return the digest of a sample: sixteen hexadecimal digits over addresses and bodies."""
    state = hashlib.sha256()
    for page in pages:
        state.update(f"{page.url}\n{len(page.body)}\n".encode())
        state.update(page.body)
    return state.hexdigest()[:16]


def describe(pages: list[SamplePage]) -> str:
    """Describe a sample in one line."""
    if not pages:
        return f"no documentation pages: install {', '.join(PACKAGES)}"
    mean_bytes = sum(len(page.body) for page in pages) / len(pages)
    mean_hrefs = sum(page.body.count(b"href=") for page in pages) / len(pages)
    return f"{len(pages)} pages, {mean_bytes:,.0f} bytes and {mean_hrefs:.0f} hrefs each, digest {compute_digest(pages)}"


if __name__ == "__main__":
    print(describe(read_documentation_pages()))
