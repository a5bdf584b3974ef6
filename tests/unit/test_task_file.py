"""A task is written as a file or as a command line, and read back as it was."""

import shlex
from pathlib import Path
from typing import Any, Literal, get_args, get_origin

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gossamer import config
from gossamer.config import TaskSpec, from_options, from_toml, replace_options
from gossamer.field_rule import FieldRule
from gossamer.task_file import list_options, make_arguments, to_flag, write_toml

HOSTILE = 'a"b\\c\n\x7f\x00\u2028</script>é…'


def make_other_value(option: config.Option) -> Any:
    """Return a value of an option that is not its default."""
    if option.type is bool:
        return not option.default
    if get_origin(option.type) is Literal:
        return next(one for one in get_args(option.type) if one != option.default)
    if get_origin(option.type) is tuple:
        return ("da", "nb") if option.name == "language" else ("first", HOSTILE)
    if option.type is str:
        return "a-name" if option.name == "name" else HOSTILE
    return 0.5 if option.name == "render_share" else option.type(option.default + 1.5)


def read_back(spec: TaskSpec, folder: Path) -> TaskSpec:
    path = folder / "task.toml"
    path.write_text(write_toml(spec), "utf-8")
    return from_toml(path)


def test_a_task_whose_every_option_differs_is_read_back(tmp_path: Path) -> None:
    changed = {option.name: make_other_value(option) for option in config.options()}
    rules = (
        FieldRule(name="price", select=".price", type="number", many=True),
        FieldRule(name="t", meta="x"),
    )
    spec = replace_options(TaskSpec(fields=rules), **changed)
    assert list_options(spec) == changed
    assert read_back(spec, tmp_path) == spec


def test_an_ordinary_task_is_a_short_file(tmp_path: Path) -> None:
    spec = from_options(seeds=["https://a.example/"], depth=2, exclude=["/calendar/"])
    assert write_toml(spec) == (
        'seeds = ["https://a.example/"]\n\n[limits]\ndepth = 2\n\n[filters]\nexclude = ["/calendar/"]\n'
    )
    assert write_toml(TaskSpec()) == "\n"
    assert read_back(TaskSpec(), tmp_path) == TaskSpec()


@given(st.lists(st.text(st.characters(codec="utf-8")), max_size=3))
def test_any_text_is_read_back(tmp_path_factory: pytest.TempPathFactory, texts: list[str]) -> None:
    spec = from_options(exclude=texts)
    assert read_back(spec, tmp_path_factory.mktemp("task")) == spec


def test_arguments_set_the_same_options() -> None:
    options = {"seeds": ("https://a.example/",), "depth": -1, "delay_s": 2.0, "robots": False, "traps": True}
    assert make_arguments(options | {"exclude": ("a b", "-x"), "include": (), "expires_s": 1794976732.5}) == [
        *("https://a.example/", "--depth=-1", "--delay", "2", "--no-robots", "--traps"),
        *("--exclude", "a b", "--exclude=-x", "--include", "", "--expires", "1794976732.5"),
    ]
    assert shlex.split(shlex.join(make_arguments({"exclude": (HOSTILE,)})))[1] == HOSTILE
    assert to_flag("delay_s") == "--delay"
