"""The page that shows the API to people: each address with its parameters, and a line for curl that works here."""

import shlex
from collections.abc import Iterator
from typing import Any
from urllib.parse import quote, urlencode

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from gossamer.search.answers.example_queries import ExampleQueries
from gossamer.ui.api.endpoint import JSON
from gossamer.ui.api.json_io import make_response
from gossamer.ui.api.openapi import describe_api
from gossamer.ui.page_context import get_context


class ApiField(msgspec.Struct, frozen=True):
    """A parameter of an address, or a field of a JSON body."""

    name: str
    required: bool
    help: str


class ApiEntry(msgspec.Struct, frozen=True):
    """One address of the API, as the page shows it."""

    method: str
    path: str
    summary: str
    fields: tuple[ApiField, ...]
    command: str
    """A line for a shell."""
    href: str
    """Its address with the example, for GET; "" for what changes something."""


def describe(request: Request) -> Response:
    """Describe this API: as a page for browsers, as OpenAPI 3.1 for programs."""
    if "text/html" not in request.headers.get("accept", ""):
        answer = describe_for_programs(request)
    else:
        context = get_context(request)
        with context.borrow_searcher() as web:
            examples = web.example_queries()
        needs_token = request.app.state.authenticator.needs_login()
        entries = list(_list_entries(examples, str(request.base_url), needs_token))
        answer = context.render_page(request, "api.html", entries=entries)
    answer.headers["vary"] = "accept"
    return answer


def describe_for_programs(request: Request) -> Response:
    """Describe this API as OpenAPI 3.1, titled as the web is."""
    context = get_context(request)
    with context.borrow_searcher():
        title = context.title  # as it is now
    found = describe_api()
    return make_response(found | {"info": found["info"] | ({"title": title} if title else {})})


def _list_entries(examples: ExampleQueries, server: str, needs_token: bool) -> Iterator[ApiEntry]:
    described = describe_api()
    values = _make_values(examples)
    for path, methods in described["paths"].items():
        for method, operation in methods.items():
            given = values.get(path, {})
            query = f"?{urlencode(given, quote_via=quote)}" if given and method == "get" else ""
            parts = ["curl", *(("-H", "Authorization: Bearer TOKEN") if needs_token else ())]
            if method == "post":
                body = msgspec.json.encode(given).decode()
                parts += ["-H", "Content-Type: application/json", "-d", body]
            yield ApiEntry(
                method=method.upper(),
                path=path,
                summary=operation["summary"],
                fields=tuple(_list_fields(operation, described)),
                command=shlex.join([*parts, f"{server.rstrip('/')}{path}{query}"]),
                href=f"{path}{query}" if method == "get" else "",
            )


def _list_fields(operation: dict[str, Any], described: dict[str, Any]) -> Iterator[ApiField]:
    for one in operation.get("parameters", ()):
        yield ApiField(one["name"], one["required"], one["description"])
    if "requestBody" in operation:
        content = operation["requestBody"]["content"]
        if JSON not in content:
            return
        reference = content[JSON]["schema"]["$ref"]
        schema = described["components"]["schemas"][reference.rpartition("/")[2]]
        for name, field in schema["properties"].items():
            yield ApiField(name, name in schema.get("required", ()), field.get("description", ""))


def _make_values(examples: ExampleQueries) -> dict[str, dict[str, object]]:
    """Return the parameters or the body of the example for each address."""
    sample: dict[str, object] = {"name": "first"}
    page: dict[str, object] = {"task": 1, "urls": [f"https://{examples.site}/new"]}
    new: dict[str, object] = {"options": {"seeds": [f"https://{examples.site}/"], "depth": 2}}
    return {
        "/api/search": {"q": f"{examples.word} {examples.other}", "size": 3},
        "/api/statistics": {"q": f"{examples.word} {examples.other}", "languages": examples.language},
        "/api/passages": {"q": f"{examples.word} {examples.other}", "passages": 3},
        "/api/suggest": {"q": examples.start},
        "/api/page": {"url": examples.url},
        "/api/words": {"q": examples.word, "number": 20},
        "/api/concordance": {"word": examples.word},
        "/api/theme": {"theme": "1"},
        "/api/links": {"q": examples.word},
        "/api/submit": {"url": f"https://{examples.site}/new"},
        "/api/assess/draw": {**sample, "by": "depth", "sample": 20},
        "/api/assess/next": {**sample, "judge": "anna"},
        "/api/assess/judge": {**sample, "judge": "anna", "url": examples.url, "verdict": "relevant"},
        "/api/assess/results": {**sample, "by": "depth"},
        "/api/assess/forget": sample,
        "/api/console/tasks": new,
        **{f"/api/console/task/{step}": {"task": 1} for step in ("stop", "pause", "resume")},
        "/api/console/task/change": {"task": 1, "options": {"pages": 5000}},
        "/api/console/task/submit": page,
        "/api/console/task/withdraw": page,
        "/api/console/preview": new,
        "/api/console/rules": page,
        "/api/console/hosts": {"order": "waiting"},
        "/api/console/history": {"span": "1h"},
        "/api/console/documents": {"task": 1, "count": "downloaded"},
        "/api/console/explain": {"url": examples.url},
    }


ROUTES = (Route("/api", describe), Route("/api/openapi.json", describe_for_programs))
