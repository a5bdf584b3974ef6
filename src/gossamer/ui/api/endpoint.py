"""One address of the API, as OpenAPI describes it."""

import msgspec

JSON = "application/json"
JSON_LINES = "application/x-ndjson"
"""The media type of files with one JSON object in each line."""


class Endpoint(msgspec.Struct, frozen=True):
    """One address of the API."""

    path: str
    summary: str
    answer: type | None
    """Its JSON answer; None for an answer of another type."""
    parameters: type | None = None
    body: type | None = None
    """Its JSON body; None for GET."""
    status: int = 200
    answer_type: str = JSON
    body_type: str = JSON

    @property
    def method(self) -> str:
        """The method of its requests, as OpenAPI writes it."""
        return "post" if self.body is not None or self.body_type != JSON else "get"
