"""Records of the API that steers crawls: bodies of requests, and answers."""

from typing import Annotated, Any

import msgspec
from msgspec import Meta

from gossamer.crawl.explain.judge_urls import UrlVerdict
from gossamer.store.batch import TaskState

Options = Annotated[
    dict[str, Any],
    Meta(description="Options of a task by their names, as in a task file, without its sections."),
]
TaskNumber = Annotated[int, Meta(description="Number of the task.")]


class TaskRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A task."""

    task: TaskNumber


class NewTaskRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A new task."""

    options: Options
    like: Annotated[int, Meta(description="Number of a task whose options hold otherwise; 0 for none.")] = 0


class ChangeRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Options to change."""

    task: TaskNumber
    options: Options


class PagesRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Pages to submit to a task, or to withdraw from it."""

    task: TaskNumber
    urls: Annotated[list[str], Meta(description="Addresses of pages.")]
    widen: Annotated[bool, Meta(description="Also submit pages outside the scope, which widen it.")] = False


class RulesRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """URLs to judge by the rules of a task."""

    task: TaskNumber
    urls: Annotated[list[str], Meta(max_length=200, description="At most 200 URLs.")]
    options: Options = {}


class SteeredTask(msgspec.Struct, frozen=True):
    """A task after an order."""

    task: int
    name: str
    state: TaskState
    reason: str
    done: bool
    """Whether the order is carried out; otherwise the crawl was told, and has not answered yet."""
    command: str
    """The command line that does the same."""
    process_started: bool = False
    """Whether a process was started that crawls the task."""


class PreviewResult(msgspec.Struct, frozen=True):
    """How many of the known links a task would take up."""

    known: int
    taken: int
    """Estimated if `judged` is less than `known`."""
    least: int
    most: int
    """The true number is between these in 19 of 20 cases; all are the same if all links were judged."""
    judged: int
    refused: dict[str, int]
    """How many of the judged links each rule refuses."""


class RulesResult(msgspec.Struct, frozen=True):
    """The rule that decides for each URL."""

    verdicts: list[UrlVerdict]
