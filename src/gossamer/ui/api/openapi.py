"""The description of the API in the form of OpenAPI 3.1, made of the records that it takes and gives."""

from functools import cache
from typing import Any

import msgspec

import gossamer
from gossamer.assess.results.sample_results import SampleReport, SampleSummary
from gossamer.search.answers.answer_records import Answers
from gossamer.ui.api import assess_records as assess
from gossamer.ui.api import search_records as records


class _Way(msgspec.Struct, frozen=True):
    """One thing that can be asked for."""

    path: str
    does: str
    gives: type
    asked: type | None = None
    """Its parameters."""
    takes: type | None = None
    """Its body, if it has one."""
    status: int = 200


_WAYS = (
    _Way("/api/search", "Answer a query.", Answers, asked=records.Search),
    _Way("/api/suggest", "Suggest queries while somebody types.", records.Suggestions, asked=records.Suggest),
    _Way("/api/page", "Tell what is known of a page.", records.PageKnown, asked=records.PageAsked),
    _Way("/api/submit", "Take a page.", records.Submitted, takes=records.Submission, status=202),
    _Way("/api/assess/samples", "List the samples.", assess.Samples),
    _Way("/api/assess/draw", "Draw a sample of pages.", SampleSummary, takes=assess.Draw),
    _Way("/api/assess/next", "Show a judge the next page.", assess.Next, asked=assess.JudgeAsked),
    _Way("/api/assess/judge", "Take a judgement.", assess.Left, takes=assess.Judged),
    _Way("/api/assess/results", "Tell what was found.", SampleReport, asked=assess.ResultsAsked),
    _Way("/api/assess/forget", "Forget a sample.", assess.Forgotten, takes=assess.Forget),
)


@cache
def described() -> dict[str, Any]:
    """Return the description."""
    kinds = [kind for way in _WAYS for kind in (way.gives, way.takes) if kind is not None]
    kinds.append(records.Refusal)
    schemas, components = msgspec.json.schema_components(kinds, ref_template="#/components/schemas/{name}")
    named = dict(zip(kinds, schemas, strict=True))
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Gossamer",
            "version": gossamer.__version__,
            "description": "Search what was crawled, and judge it. At other addresses than this machine's own, a token is demanded.",
        },
        "paths": {way.path: {"post" if way.takes else "get": _operation(way, named)} for way in _WAYS},
        "components": {
            "schemas": components,
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
        "security": [{}, {"token": []}],
    }


def _operation(way: _Way, named: dict[type, dict[str, Any]]) -> dict[str, Any]:
    refusal = {"description": "Why not, in a sentence.", "content": _json(named[records.Refusal])}
    told: dict[str, Any] = {
        "operationId": way.path.removeprefix("/api/").replace("/", "_"),
        "summary": way.does,
        "responses": {
            str(way.status): {"description": "The answer.", "content": _json(named[way.gives])},
            "default": refusal,
        },
    }
    if way.takes is not None:
        told["requestBody"] = {"required": True, "content": _json(named[way.takes])}
    if way.asked is not None:
        told["parameters"] = _parameters(way.asked)
    return told


def _parameters(kind: type) -> list[dict[str, Any]]:
    """Return the fields of a record as parameters of an address."""
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


def _json(schema: dict[str, Any]) -> dict[str, Any]:
    return {"application/json": {"schema": schema}}
