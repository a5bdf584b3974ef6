"""Writes the result of a check as JUnit XML, which build servers show as failed tests."""

import re
from xml.sax.saxutils import escape, quoteattr

from gossamer.link_check.problem import CheckResult
from gossamer.link_check.reports.grouped_targets import TargetGroup, format_place, group_by_target

# XML 1.0 allows no other control characters, not even as references.
_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def write_junit(result: CheckResult) -> str:
    """Return one failed test for each broken address, and one skipped test for each warning."""
    groups = group_by_target(result.problems)
    failures = sum(group.is_error for group in groups)
    cases = "".join(map(_write_case, groups))
    passed = max(result.checked - failures, 0)
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        f'<testsuites><testsuite name="gossamer check" tests="{len(groups) + 1}" failures="{failures}" '
        f'errors="0" skipped="{len(groups) - failures}">\n'
        f'<testcase classname="links" name="{passed} addresses work"/>\n{cases}</testsuite></testsuites>\n'
    )


def _write_case(group: TargetGroup) -> str:
    places = _clean("\n".join(map(format_place, group.places)))
    message = quoteattr(_clean(f"{group.problem} {group.status or ''} {group.detail}".strip()))
    outcome = (
        f"<failure type={quoteattr(group.problem)} message={message}>{escape(places)}</failure>"
        if group.is_error
        else f"<skipped message={message}/>"
    )
    return f"<testcase classname={quoteattr(group.problem)} name={quoteattr(_clean(group.target))}>{outcome}</testcase>\n"


def _clean(text: str) -> str:
    return _NOT_XML.sub("\N{REPLACEMENT CHARACTER}", text)
