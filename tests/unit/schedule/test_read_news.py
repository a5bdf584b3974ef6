"""What runs found is read from the output of their verbs, whatever stands in it."""

from pathlib import Path

import pytest

from gossamer.schedule.read_news import read_output


def read(folder: Path, do: str, *lines: str) -> list[tuple[str, str]]:
    path = folder / "out"
    path.write_text("\n".join(lines), "utf-8")
    news = read_output(do, path)
    return [] if news is None else [(item.title, item.url) for item in news.items]


def test_answers_stories_problems_and_changes_are_read(tmp_path: Path) -> None:
    answers = '{"answers": [{"url": "http://a/", "title": "A"}, {"url": "http://b/", "title": ""}]}'
    assert read(tmp_path, "search", "Searching …", answers) == [("A", "http://a/"), ("", "http://b/")]
    story = (
        '{"stories": [{"id": "1", "words": ["storm", "coast"], "texts": 3, "pages": [{"url": "http://a/"}]}]}'
    )
    assert read(tmp_path, "hot", story) == [("storm, coast (3 texts)", "http://a/")]
    broken = '{"problem": "broken", "target": "http://t/", "source": "http://%s/", "status": 404}'
    warning = '{"problem": "missing-alt", "target": "http://t/", "source": "http://s/"}'
    found = read(tmp_path, "check", broken % "s", broken % "u", warning, '{"checked": 3}')
    assert found == [("broken 404: http://t/ on http://s/", "http://s/")]
    change = '{"change": "changed", "url": "http://a/", "title": "", "id": "7"}'
    assert read(tmp_path, "watch", change, '{"checked": 1}') == [("changed: http://a/", "http://a/")]


@pytest.mark.parametrize(
    "line", ["", "{", "{}", '{"answers": 3}', '{"answers": [{}]}', "\x00", '{"answers": null}']
)
def test_strange_output_is_no_news(line: str, tmp_path: Path) -> None:
    assert read(tmp_path, "search", line) == []
    assert read(tmp_path, "index", line) == []
