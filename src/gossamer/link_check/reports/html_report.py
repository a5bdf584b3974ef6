"""Writes the result of a check as one HTML page without scripts and without references to anything outside."""

import time
from html import escape

from gossamer.link_check.problem import PROBLEMS, CheckResult, Problem, summarise
from gossamer.link_check.reports.grouped_targets import TargetGroup, describe_places, group_by_target

_MOST_PLACES = 50
_STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 70rem; padding: 0 1rem; color: #1b1b1b; background: #fff }
h1 { font-size: 1.5rem } h2 { font-size: 1.1rem; margin-top: 2rem } table { border-collapse: collapse; width: 100% }
td, th { text-align: left; vertical-align: top; padding: .4rem .6rem; border-top: 1px solid #ccc; overflow-wrap: anywhere }
.error { color: #a40000 } .status { white-space: nowrap } summary { cursor: pointer } small { color: #555 }
@media (prefers-color-scheme: dark) { body { background: #161616; color: #eee } small { color: #aaa } .error { color: #ff9b9b } a { color: #9cf } }
"""


def write_html(result: CheckResult, title: str) -> str:
    """Return the report as a page. Everything from the web is escaped, and only http and https become links."""
    groups = group_by_target(result.problems)
    body = "".join(_write_problem(name, [one for one in groups if one.problem == name]) for name in PROBLEMS)
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>Links of {escape(title)}</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n"
        f"<h1>Links of {escape(title)}</h1>\n<p>{_describe(result)}</p>\n{body}</body>\n</html>\n"
    )


def _describe(result: CheckResult) -> str:
    numbers = summarise(result)
    when = time.strftime("%Y-%m-%d %H:%M UTC", time.gmtime(result.when_s)) if result.when_s else ""
    return (
        f"{numbers.checked:,} addresses on {numbers.pages:,} pages were checked: {numbers.broken:,} broken, "
        f"{numbers.warnings:,} warnings. <small>{when}</small>"
    )


def _write_problem(name: str, groups: list[TargetGroup]) -> str:
    if not groups:
        return ""
    severity, meaning = PROBLEMS[name]
    rows = "".join(map(_write_group, groups))
    return (
        f'<h2 class="{severity}" id="{name}">{name} ({len(groups):,})</h2>\n<p>{escape(meaning)}</p>\n'
        f"<table>\n<tr><th>address<th>status<th>stands\n{rows}</table>\n"
    )


def _write_group(group: TargetGroup) -> str:
    places = "".join(f"<li>{_write_place(one)}" for one in group.places[:_MOST_PLACES])
    if len(group.places) > _MOST_PLACES:
        places += f"<li>and {len(group.places) - _MOST_PLACES:,} more"
    detail = f"<br><small>{escape(group.detail)}</small>" if group.detail else ""
    return (
        f'<tr><td>{_write_link(group.target)}{detail}<td class="status">{group.status or "–"}'
        f"<td><details><summary>{describe_places(group)}</summary><ul>{places}</ul></details>\n"
    )


def _write_place(one: Problem) -> str:
    line = f" <small>line {one.line}, column {one.column}</small>" if one.line else ""
    return _write_link(one.source) + line


def _write_link(address: str) -> str:
    shown = escape(address)
    if address.startswith(("http://", "https://")):
        return f'<a href="{shown}" rel="noreferrer nofollow">{shown}</a>'
    return shown
