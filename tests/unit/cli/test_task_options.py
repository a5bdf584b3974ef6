"""Options of tasks on the command line."""

from typing import Any

from gossamer.cli.task_options import with_some_task_options


@with_some_task_options("exclude", "depth", "auth")
def show(options: dict[str, Any]) -> dict[str, Any]:
    return options


def test_an_empty_value_clears_a_list_and_others_are_left_out() -> None:
    assert show(exclude=[""], depth=None) == {"exclude": []}
    assert show(exclude=["a", ""], auth="") == {"exclude": ["a", ""], "auth": ""}
    assert show(exclude=[]) == {}
