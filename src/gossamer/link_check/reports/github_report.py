"""Writes problems as workflow commands of GitHub, which become annotations of files and lines."""

from collections.abc import Iterable

from gossamer.link_check.problem import Problem


def write_github(problems: Iterable[Problem]) -> str:
    """Return one annotation for each problem."""
    return "".join(map(_write_annotation, problems))


def _write_annotation(one: Problem) -> str:
    where = f"file={_escape_property(one.source)}"
    if one.line:
        where += f",line={one.line},col={one.column}"
    status = f" ({one.status})" if one.status else ""
    detail = f": {one.detail}" if one.detail else ""
    message = _escape(f"{one.problem}: {one.target}{status}{detail}")
    return f"::{one.severity} {where},title={_escape_property(one.problem)}::{message}\n"


def _escape(text: str) -> str:
    """Escape as the runner of GitHub reads it, so that no address can end the command or begin another."""
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _escape_property(text: str) -> str:
    return _escape(text).replace(":", "%3A").replace(",", "%2C")
