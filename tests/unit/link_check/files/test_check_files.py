"""Links between files on disk."""

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from gossamer.errors import BadInput
from gossamer.link_check.check_options import CheckOptions
from gossamer.link_check.files.check_files import check_files
from gossamer.link_check.target_outcomes import TargetOutcome


def write(folder: Path, **files: str) -> None:
    for name, text in files.items():
        path = folder / name.replace("__", "/").replace("_", ".")
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, "utf-8")


def find(folder: Path, **options: object) -> list[tuple[str, str, str, int]]:
    result = check_files([folder], CheckOptions(**options), None)  # type: ignore[arg-type]
    return [(one.problem, one.target, Path(one.source).name, one.line) for one in result.problems]


def test_missing_files_and_anchors_are_found_with_their_lines(tmp_path: Path) -> None:
    write(
        tmp_path,
        a_md="# Title\n[ok](b.html#x)\n[bad](b.html#y)\n[gone](c.md)\n[self](#title)\n[no](#nowhere)\n[m](mailto:a@b)\n",
        b_html="<p id=x><a href='a.md#title'>ok</a><a href='sub/'>ok</a><img src=none.png alt=''>",
        sub__index_html="<a href='../a.md'>ok</a>",
    )
    assert find(tmp_path) == [
        ("fragment", "b.html#y", "a.md", 3),
        ("broken", "c.md", "a.md", 4),
        ("fragment", "#nowhere", "a.md", 6),
        ("broken", "none.png", "b.html", 1),
    ]


def test_patterns_choose_what_is_checked(tmp_path: Path) -> None:
    write(tmp_path, a_md="[a](b.md) [c](d.md)")
    assert [one[1] for one in find(tmp_path, exclude=("b",))] == ["d.md"]
    assert [one[1] for one in find(tmp_path, include=("b",))] == ["b.md"]


def test_addresses_of_the_web_are_asked_for_once(tmp_path: Path) -> None:
    write(tmp_path, a_md="[a](https://h.example/x) [b](https://h.example/x#y) [c](https://h.example/fine)")
    asked: list[str] = []

    def ask(urls: Sequence[str]) -> Callable[[str], TargetOutcome]:
        asked.extend(urls)
        return lambda url: TargetOutcome("broken", 404) if url.endswith("x") else TargetOutcome("ok", 200)

    result = check_files([tmp_path], CheckOptions(), ask)
    assert asked == ["https://h.example/fine", "https://h.example/x"]
    assert [(one.problem, one.status) for one in result.problems] == [("broken", 404), ("broken", 404)]


def test_a_path_that_is_not_there_is_bad_input(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="there is no file"):
        check_files([tmp_path / "none.md"], CheckOptions(), None)
    with pytest.raises(BadInput, match="no HTML or Markdown files"):
        check_files([tmp_path], CheckOptions(), None)
