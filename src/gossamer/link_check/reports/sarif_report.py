"""Writes the result of a check as SARIF 2.1.0, which code hosts show beside the lines of a change."""

from typing import Any

import msgspec

from gossamer.link_check.problem import PROBLEMS, CheckResult, Problem

_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"


def write_sarif(result: CheckResult, version: str) -> str:
    """Return the problems as one run of a tool."""
    rules = [
        {"id": name, "shortDescription": {"text": meaning}, "defaultConfiguration": {"level": severity}}
        for name, (severity, meaning) in PROBLEMS.items()
    ]
    driver = {"name": "gossamer check", "version": version, "rules": rules}
    run = {"tool": {"driver": driver}, "results": [_describe(one) for one in result.problems]}
    report = {"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}
    return msgspec.json.format(msgspec.json.encode(report), indent=1).decode() + "\n"


def _describe(one: Problem) -> dict[str, Any]:
    status = f" ({one.status})" if one.status else ""
    detail = f": {one.detail}" if one.detail else ""
    place: dict[str, Any] = {"artifactLocation": {"uri": one.source}}
    if one.line:
        place["region"] = {"startLine": one.line, "startColumn": one.column}
    return {
        "ruleId": one.problem,
        "level": one.severity,
        "message": {"text": f"{one.target}{status} {PROBLEMS[one.problem][1]}{detail}"},
        "locations": [{"physicalLocation": place}],
    }
