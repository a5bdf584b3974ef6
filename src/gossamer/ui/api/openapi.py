"""Describe the API as OpenAPI 3.1, from the records of its requests and answers."""

from functools import cache
from typing import Any

import msgspec

import gossamer
from gossamer.assess.results.sample_results import SampleReport, SampleSummary
from gossamer.context.hot.hot_records import HotReport
from gossamer.context.passages.passage_records import Passages
from gossamer.context.themes.link_groups import LinkGroups
from gossamer.context.themes.theme_records import Theme, Themes
from gossamer.crawl.status.status_records import CountHistory
from gossamer.search.answers.answer_records import Answers
from gossamer.search.answers.web_statistics import WebStatistics
from gossamer.search.clusters.cluster_records import GroupedAnswers
from gossamer.ui.api import assess_records as assess
from gossamer.ui.api import console_records as console
from gossamer.ui.api import hot_api
from gossamer.ui.api import search_records as records
from gossamer.ui.api import steer_records as steer
from gossamer.ui.api import words_api as words
from gossamer.ui.api.endpoint import JSON, Endpoint
from gossamer.ui.api.navigate.endpoints import NAVIGATE_ENDPOINTS
from gossamer.ui.api.passages_api import AskParameters
from gossamer.ui.api.themes_api import LinkParameters, ThemeParameters
from gossamer.ui.console.live.explain_page import UrlStory

_ENDPOINTS = (
    Endpoint("/api/search", "Answer a query.", Answers, parameters=records.SearchParameters),
    Endpoint("/api/passages", "Cite passages that answer a question.", Passages, parameters=AskParameters),
    Endpoint(
        "/api/clusters",
        "Group the best thousand answers by words that they share.",
        GroupedAnswers,
        parameters=records.QueryParameters,
    ),
    Endpoint(
        "/api/statistics",
        "Say how rare the words of a query are here.",
        WebStatistics,
        parameters=records.StatisticsParameters,
    ),
    Endpoint("/api/hot", "Tell the hot stories.", HotReport, parameters=hot_api.HotParameters),
    Endpoint("/api/suggest", "Suggest queries.", records.Suggestions, parameters=records.SuggestParameters),
    Endpoint("/api/page", "Describe a page.", records.PageSummary, parameters=records.PageParameters),
    Endpoint(
        "/api/words",
        "List words, or the keywords of a selection.",
        words.WordListAnswer,
        parameters=words.WordListParameters,
    ),
    Endpoint(
        "/api/concordance",
        "Show a word in its contexts.",
        words.ConcordanceAnswer,
        parameters=words.ConcordanceParameters,
    ),
    Endpoint("/api/themes", "List the themes of the collection.", Themes),
    Endpoint("/api/theme", "Describe a theme.", Theme, parameters=ThemeParameters),
    Endpoint(
        "/api/links", "Group where the links of the answers lead.", LinkGroups, parameters=LinkParameters
    ),
    Endpoint("/api/submit", "Submit a page.", records.SubmissionResult, body=records.Submission, status=202),
    Endpoint("/api/assess/samples", "List the samples.", assess.SampleList),
    Endpoint("/api/assess/draw", "Draw a sample of pages.", SampleSummary, body=assess.DrawRequest),
    Endpoint(
        "/api/assess/next", "Show a judge the next page.", assess.NextPage, parameters=assess.JudgeParameters
    ),
    Endpoint("/api/assess/judge", "Record a judgement.", assess.JudgeProgress, body=assess.JudgementRequest),
    Endpoint("/api/assess/results", "Show the results.", SampleReport, parameters=assess.ResultsParameters),
    Endpoint("/api/assess/forget", "Delete a sample.", assess.ForgetResult, body=assess.ForgetRequest),
    Endpoint("/api/console/tasks", "Start a task.", steer.SteeredTask, body=steer.NewTaskRequest, status=202),
    Endpoint("/api/console/task/stop", "Stop a task.", steer.SteeredTask, body=steer.TaskRequest),
    Endpoint("/api/console/task/pause", "Pause a task.", steer.SteeredTask, body=steer.TaskRequest),
    Endpoint("/api/console/task/resume", "Resume a task.", steer.SteeredTask, body=steer.TaskRequest),
    Endpoint("/api/console/task/change", "Change options.", steer.SteeredTask, body=steer.ChangeRequest),
    Endpoint("/api/console/task/submit", "Submit pages.", steer.SteeredTask, body=steer.PagesRequest),
    Endpoint("/api/console/task/withdraw", "Withdraw pages.", steer.SteeredTask, body=steer.PagesRequest),
    Endpoint("/api/console/preview", "Preview a task.", steer.PreviewResult, body=steer.NewTaskRequest),
    Endpoint("/api/console/rules", "Say which rule decides.", steer.RulesResult, body=steer.RulesRequest),
    Endpoint(
        "/api/console/status",
        "Show the state of all tasks, and what is fetched at this moment.",
        console.ConsoleStatus,
        parameters=console.TaskParameters,
    ),
    Endpoint(
        "/api/console/hosts",
        "List the hosts of a crawl.",
        console.HostList,
        parameters=console.HostParameters,
    ),
    Endpoint(
        "/api/console/history", "Show counts over time.", CountHistory, parameters=console.HistoryParameters
    ),
    Endpoint(
        "/api/console/documents",
        "List the documents behind a count.",
        console.CountedDocuments,
        parameters=console.DocumentParameters,
    ),
    Endpoint(
        "/api/console/explain", "Tell the story of a URL.", UrlStory, parameters=console.ExplainParameters
    ),
    *NAVIGATE_ENDPOINTS,
)


_SCHEMA_NAMES = {
    "DrawRequest": "Draw",
    "ForgetRequest": "Forget",
    "ForgetResult": "Forgotten",
    "JudgementRequest": "Judged",
    "JudgeProgress": "Left",
    "JudgeView": "Shown",
    "NearCopy": "Copy",
    "NextPage": "Next",
    "PageSummary": "PageKnown",
    "SampleList": "Samples",
    "SampleProgress": "Listed",
    "SampleReport": "Told",
    "SampleSummary": "Drawn",
    "ScorePart": "Part",
    "Similarity": "Similar",
    "SubmissionResult": "Submitted",
}
"""By class: the published name of its schema, where that differs; programs may be generated from the description."""


@cache
def describe_api() -> dict[str, Any]:
    """Return the OpenAPI description."""
    kinds = [kind for one in _ENDPOINTS for kind in (one.answer, one.body) if kind is not None]
    kinds.append(records.Refusal)
    schemas, components = msgspec.json.schema_components(kinds, ref_template="#/components/schemas/{name}")
    named: dict[type | None, dict[str, Any]] = dict(zip(kinds, schemas, strict=True))
    return _publish_names(
        {
            "openapi": "3.1.0",
            "info": {
                "title": "Gossamer",
                "version": gossamer.__version__,
                "description": "Search what was crawled, and judge it. A server that other machines can reach needs a token.",
            },
            "paths": {one.path: {one.method: _describe_operation(one, named)} for one in _ENDPOINTS},
            "components": {
                "schemas": components,
                "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
            },
            "security": [{}, {"token": []}],
        }
    )


def _publish_names(description: dict[str, Any]) -> dict[str, Any]:
    """Replace the names of classes by the published names of their schemas."""

    def replace(node: Any) -> Any:
        if isinstance(node, list):
            return [replace(one) for one in node]
        if not isinstance(node, dict):
            return node
        if isinstance(reference := node.get("$ref"), str):
            folder, _, name = reference.rpartition("/")
            return node | {"$ref": f"{folder}/{_SCHEMA_NAMES.get(name, name)}"}
        return {key: replace(value) for key, value in node.items()}

    published: dict[str, Any] = replace(description)
    schemas = published["components"]["schemas"]
    published["components"]["schemas"] = {
        _SCHEMA_NAMES.get(name, name): schema | {"title": _SCHEMA_NAMES.get(name, name)}
        for name, schema in schemas.items()
    }
    return published


def _describe_operation(endpoint: Endpoint, named: dict[type | None, dict[str, Any]]) -> dict[str, Any]:
    refusal = {
        "description": "Why there is no answer, in one sentence.",
        "content": _wrap(JSON, named[records.Refusal]),
    }
    operation: dict[str, Any] = {
        "operationId": endpoint.path.removeprefix("/api/").replace("/", "_"),
        "summary": endpoint.summary,
        "responses": {
            str(endpoint.status): {
                "description": "The answer.",
                "content": _wrap(endpoint.answer_type, named.get(endpoint.answer)),
            },
            "default": refusal,
        },
    }
    if endpoint.body_type != JSON:
        operation["requestBody"] = {"required": True, "content": _wrap(endpoint.body_type, None)}
    elif endpoint.body is not None:
        operation["requestBody"] = {"required": True, "content": _wrap(JSON, named[endpoint.body])}
    if endpoint.parameters is not None:
        operation["parameters"] = _describe_parameters(endpoint.parameters)
    return operation


def _describe_parameters(kind: type) -> list[dict[str, Any]]:
    """Describe the fields of a record as parameters of an address."""
    _, components = msgspec.json.schema_components([kind])
    (schema,) = components.values()
    return [
        {
            "name": name,
            "in": "query",
            "required": name in schema.get("required", ()),
            "description": field.get("description", ""),
            "schema": {key: value for key, value in field.items() if key != "description"},
        }
        for name, field in schema["properties"].items()
    ]


def _wrap(media_type: str, schema: dict[str, Any] | None) -> dict[str, Any]:
    return {media_type: {"schema": schema if schema is not None else {"type": "string"}}}
