"""Tasks as webs keep them, and what is said of a task file that is wrong."""

from pathlib import Path

import msgspec
import pytest

from gossamer.config import TaskSpec, from_json, from_options, from_toml
from gossamer.errors import BadInput


def test_a_task_is_read_as_it_was_kept() -> None:
    spec = from_options(seeds=["http://a.example/"], language=["da"], pages=5)
    assert from_json(msgspec.json.encode(spec)) == spec


def test_what_tasks_do_not_know_any_more_is_passed_over() -> None:
    assert from_json(b'{"keeping":{"recognise":true,"links":false}}').keeping.links is False
    assert from_json(b"{}") == TaskSpec()


@pytest.mark.parametrize(
    ("told", "said"),
    [
        ("[limits]\npages = -3", "limits.pages has to be a whole number, at least 0"),
        ("[politeness]\nrobots = 3", "politeness.robots has to be true or false"),
        ("seeds = [1]", "seeds[0] has to be a text"),
        ("limits = 3", "limits has to be a section of its own"),
        ('scope = "nowhere"', "scope cannot be 'nowhere': it is one of page, directory, host, site, any"),
        ("pages = 3", "the key 'pages' belongs to [limits], not to the task itself"),
        ("[limits]\nrobots = true", "the key 'robots' belongs to [politeness], not to [limits]"),
        ("[limits]\npage = 3", "there is no key 'page'; did you mean 'pages'?"),
    ],
)
def test_what_is_wrong_in_a_task_file_is_said_in_its_words(told: str, said: str, tmp_path: Path) -> None:
    file = tmp_path / "task.toml"
    file.write_text(told)
    with pytest.raises(BadInput) as wrong:
        from_toml(file)
    assert str(wrong.value).startswith(f"{file}: {said}")
