"""Complete URLs as people type them: `www.example.org` means `https://www.example.org`."""

from collections.abc import Iterable
from pathlib import Path

from gossamer.cli.output.terminal_text import print_error
from gossamer.errors import BadInput
from gossamer.net.url.typed_url import KnowsUrls, find_known_url
from gossamer.net.url.typed_url import complete_url as complete_url


def complete_urls(texts: Iterable[str]) -> list[str]:
    """Complete the start pages that a person typed, and say on standard error what each was taken for."""
    completed = []
    for text in texts:
        url = complete_url(text)
        if url != text and Path(text).is_file():
            raise BadInput(
                f"{text} is a file: `--seed-files {text}` reads start pages from it, one on each line"
            )
        completed.append(url)
        _print_meaning(text, url)
    return completed


def find_typed_url(store: KnowsUrls, text: str) -> str:
    """Return the URL that a typed one means in a web: one that the web knows, with https or http, if there is one."""
    url = find_known_url(store, text) or complete_url(text)
    _print_meaning(text, url)
    return url


def find_url_or_file(store: KnowsUrls, text: str) -> str:
    """Return the URL that a text means if it is no file and the web knows the URL; otherwise the text as it is."""
    url = text if Path(text).exists() else find_known_url(store, text) or text
    _print_meaning(text, url)
    return url


def _print_meaning(text: str, url: str) -> None:
    if url != text:
        print_error(f"{text} has no scheme and is taken for {url}")
