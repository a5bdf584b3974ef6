"""A corpus is written as one file for each top-level domain."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from gossamer.records import Page
from gossamer.store.export import domain_files
from gossamer.store.export.domain_files import find_top_domain, write_domain_files
from gossamer.text.language.detection.corpus_sentences import Sentence


@pytest.mark.parametrize(
    ("url", "domain"),
    [
        ("http://www.example.de/a", "de"),
        ("https://example.co.uk:8080/", "uk"),
        ("http://127.0.0.1:80/", "none"),
        ("http://[::1]/", "none"),
        ("http://localhost/", "none"),
    ],
)
def test_top_level_domains(url: str, domain: str) -> None:
    assert find_top_domain(url) == domain


def test_each_sentence_is_in_the_file_of_its_domain(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(domain_files, "_MOST_OPEN", 2)  # files are closed and opened again
    domains = ["de", "org", "fr", "de", "it", "org", "fr"]

    def pages() -> Iterator[tuple[Page, list[Sentence]]]:
        for at, domain in enumerate(domains):
            page = Page(at, f"http://example.{domain}/{at}", f"example.{domain}", 1, 0, 0.0, 200, "html")
            yield (
                page,
                [Sentence(f"{chr(97 + at) * 5} {chr(98 + at) * 4} {chr(99 + at) * 3} words", "en", at + 1)],
            )

    counts = write_domain_files(pages(), tmp_path / "out", lambda _: None)
    assert counts.sentences == len(domains)
    written = {path.stem: path.read_text("utf-8").splitlines() for path in (tmp_path / "out").iterdir()}
    assert {domain: len(lines) for domain, lines in written.items()} == {"de": 2, "org": 2, "fr": 2, "it": 1}
    assert all(f".{domain}/" in line for domain, lines in written.items() for line in lines)
