"""Where a task begins: its start pages, from its options and its files."""

from pathlib import Path

from gossamer.config import TaskSpec
from gossamer.errors import BadInput, BadUrl
from gossamer.net import url as urls


def start_pages(spec: TaskSpec) -> list[str]:
    """Return the start pages of a task in canonical form, from its options and its files."""
    told = list(spec.seeds) + list(spec.sitemaps)
    for name in spec.seed_files:
        try:
            lines = Path(name).read_text("utf-8").splitlines()
        except (OSError, UnicodeDecodeError) as error:
            raise BadInput(f"cannot read start pages from {name}: {error}") from None
        told += [line.strip() for line in lines if line.strip() and not line.startswith("#")]
    seeds = []
    for url in told:
        try:
            seeds.append(urls.canonical(url))
        except BadUrl as error:
            raise BadInput(
                f"{url!r} is not a page that can be fetched ({error.reason}); give it as http://… or https://…"
            ) from None
    if not seeds:
        raise BadInput("a crawl needs at least one start page")
    return list(dict.fromkeys(seeds))
