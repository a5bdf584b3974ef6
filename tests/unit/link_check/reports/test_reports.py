"""Reports hold hostile text without harm: nothing of it becomes mark-up, a formula or a command."""

import csv
import io
import json
from xml.etree import ElementTree as ET

from gossamer.link_check.problem import CheckResult, Problem
from gossamer.link_check.reports.csv_report import write_csv
from gossamer.link_check.reports.github_report import write_github
from gossamer.link_check.reports.grouped_targets import group_by_target
from gossamer.link_check.reports.html_report import write_html
from gossamer.link_check.reports.junit_report import write_junit
from gossamer.link_check.reports.sarif_report import write_sarif

HOSTILE = "javascript:\"><script>alert(1)</script>\x00\x1b[31m\n::error::x,%&\ud83d'"
RESULT = CheckResult(
    [
        Problem("broken", "http://h.example/gone", "http://h.example/a", 404, "anchor", 3, 7),
        Problem("broken", "http://h.example/gone", "http://h.example/b", 404, "anchor", 1, 2),
        Problem("fragment", HOSTILE, "=cmd()", 200, "anchor", 1, 1, "-1+1"),
        Problem("missing-alt", "http://h.example/a", "http://h.example/a", 200, "image", 9, 1),
    ],
    checked=10,
    pages=2,
    links=30,
)


def test_problems_are_grouped_by_address() -> None:
    groups = group_by_target(RESULT.problems)
    assert [(one.problem, len(one.places)) for one in groups] == [
        ("broken", 2),
        ("fragment", 1),
        ("missing-alt", 1),
    ]


def test_html_is_escaped_and_links_only_to_the_web() -> None:
    page = write_html(RESULT, "<site>")
    assert "<script" not in page
    assert "&lt;site&gt;" in page
    assert 'href="javascript' not in page
    assert page.count('href="http://h.example/gone"') == 1


def test_csv_holds_no_formula() -> None:
    rows = list(csv.DictReader(io.StringIO(write_csv(RESULT.problems))))
    assert [row["problem"] for row in rows] == ["broken", "broken", "fragment", "missing-alt"]
    assert rows[2]["source"] == "'=cmd()"
    assert rows[2]["detail"] == "'-1+1"


def test_junit_is_xml_with_a_failure_for_each_broken_address() -> None:
    suite = ET.fromstring(write_junit(RESULT).encode("utf-8", "replace"))[0]  # noqa: S314 - our own
    assert (suite.get("failures"), suite.get("skipped")) == ("2", "1")
    assert len(suite.findall("./testcase/failure")) == 2


def test_sarif_names_rules_and_places() -> None:
    problems = [msg for msg in RESULT.problems if msg.target != HOSTILE]
    report = json.loads(write_sarif(CheckResult(problems, 1, 1, 1), "1.0"))
    first = report["runs"][0]["results"][0]
    assert first["ruleId"] == "broken"
    assert first["locations"][0]["physicalLocation"]["region"] == {"startLine": 3, "startColumn": 7}
    assert {"broken", "fragment"} <= {rule["id"] for rule in report["runs"][0]["tool"]["driver"]["rules"]}


def test_an_annotation_stays_one_command() -> None:
    lines = write_github(RESULT.problems).splitlines()
    commands = [line for line in lines if line.startswith("::")]
    assert len(commands) == len(RESULT.problems)
    assert (
        commands[0]
        == "::error file=http%3A//h.example/a,line=3,col=7,title=broken::broken: http://h.example/gone (404)"
    )
