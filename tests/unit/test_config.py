"""Tasks are read from JSON and TOML, and errors in a task file are explained."""

from pathlib import Path

import msgspec
import pytest

from gossamer.config import TaskSpec, from_json, from_options, from_toml
from gossamer.errors import BadInput


def test_a_stored_task_is_read_back() -> None:
    spec = from_options(seeds=["http://a.example/"], language=["da"], pages=5)
    assert from_json(msgspec.json.encode(spec)) == spec


def test_withdrawn_options_are_ignored() -> None:
    assert from_json(b'{"keeping":{"recognise":true,"links":false}}').keeping.links is False
    assert from_json(b"{}") == TaskSpec()


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("[limits]\npages = -3", "limits.pages must be a whole number, at least 0"),
        ("[politeness]\nrobots = 3", "politeness.robots must be true or false"),
        ("seeds = [1]", "seeds[0] must be a string"),
        ("limits = 3", "limits must be a section"),
        ('scope = "nowhere"', "scope cannot be 'nowhere': it is one of page, directory, host, site, any"),
        ("pages = 3", "the key 'pages' belongs to [limits], not to the task itself"),
        ("[limits]\nrobots = true", "the key 'robots' belongs to [politeness], not to [limits]"),
        ("[limits]\npage = 3", "there is no key 'page'; did you mean 'pages'?"),
    ],
)
def test_errors_in_a_task_file_are_explained(content: str, message: str, tmp_path: Path) -> None:
    file = tmp_path / "task.toml"
    file.write_text(content)
    with pytest.raises(BadInput) as wrong:
        from_toml(file)
    assert str(wrong.value).startswith(f"{file}: {message}")


@pytest.mark.parametrize("content", ["seeds = " + "[" * 100_000, "limits = " + "{a=" * 100_000])
def test_deep_nesting_in_a_task_file_is_explained(content: str, tmp_path: Path) -> None:
    file = tmp_path / "task.toml"
    file.write_text(content)
    with pytest.raises(BadInput, match="nested too deeply"):
        from_toml(file)


@pytest.mark.slow
def test_deep_names_of_sections_are_unknown_keys(tmp_path: Path) -> None:
    file = tmp_path / "task.toml"
    file.write_text("[" + "a." * 20_000 + "a]\n")
    with pytest.raises(BadInput, match="there is no key 'a'"):
        from_toml(file)
