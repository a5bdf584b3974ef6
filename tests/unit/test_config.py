"""Tasks as webs keep them."""

import msgspec

from gossamer.config import TaskSpec, from_json, from_options


def test_a_task_is_read_as_it_was_kept() -> None:
    spec = from_options(seeds=["http://a.example/"], language=["da"], pages=5)
    assert from_json(msgspec.json.encode(spec)) == spec


def test_what_tasks_do_not_know_any_more_is_passed_over() -> None:
    assert from_json(b'{"keeping":{"recognise":true,"links":false}}').keeping.links is False
    assert from_json(b"{}") == TaskSpec()
