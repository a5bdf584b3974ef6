"""Options that say who crawls: what contradicts itself or the web is refused in one sentence."""

from pathlib import Path

import pytest

from gossamer.cli.crawl.choose_crew import choose_crew
from gossamer.crawl.run.start_processes import ProcessCrew
from gossamer.errors import BadInput, MissingExtra
from gossamer.store.opening.web_location import resolve_web


def test_processes_are_the_default(tmp_path: Path) -> None:
    crew = choose_crew("processes", 1, 0, 1.0, tmp_path)
    assert isinstance(crew, ProcessCrew)
    assert crew.size == 1


@pytest.mark.parametrize(
    ("on", "processes", "fetchers", "said"),
    [
        ("spark", 1, 0, "--on does not know 'spark'"),
        ("rays://head", 1, 0, "--on does not know 'rays://head'"),
        ("processes", 1, 3, "--fetchers is for --on ray"),
        ("ray", 3, 0, "--processes is for --on processes"),
    ],
)
def test_contradictions_are_refused(
    tmp_path: Path, on: str, processes: int, fetchers: int, said: str
) -> None:
    with pytest.raises(BadInput, match=said):
        choose_crew(on, processes, fetchers, 1.0, tmp_path)


def test_a_web_in_a_database_is_not_crawled_in_several_processes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("psycopg", reason="psycopg is not installed (extra cluster)")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    web = resolve_web("postgresql://crawl@db.example/web?archive=/mnt/pages")
    with pytest.raises(BadInput, match="is crawled by fetchers, not in several processes"):
        choose_crew("processes", 2, 0, 1.0, web)
    assert isinstance(choose_crew("processes", 1, 0, 1.0, web), ProcessCrew)


def test_a_directory_cannot_be_crawled_by_ray(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gossamer.cli.crawl.choose_crew.check_extra", lambda _: None)
    with pytest.raises(BadInput, match="is a directory, which one machine crawls"):
        choose_crew("ray", 1, 2, 1.0, tmp_path)


def test_the_extra_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gossamer.cli.check_extra.find_spec", lambda _: None)
    with pytest.raises(MissingExtra, match=r"gossamer\[ray\]"):
        choose_crew("ray", 1, 0, 1.0, tmp_path)
