"""The metrics are read by a strict parser of the text format 0.0.4, as its specification has it."""

import re

import pytest
from tests.unit.ui.conftest import GetPage
from tests.unit.ui.console.status_samples import make_snapshot, make_task

from gossamer.ui.console.live.metrics_page import format_metric, list_metrics

_SAMPLE = re.compile(r"([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? (\S+)")
_LABEL = re.compile(r'([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\\\|\\"|\\n)*)"(?:,|$)')
Samples = dict[tuple[str, tuple[tuple[str, str], ...]], float]


def parse_metrics(text: str) -> Samples:
    """Return all samples; fail if a line breaks a rule of the format."""
    assert text.endswith("\n")
    found: Samples = {}
    kinds: dict[str, str] = {}
    helped: set[str] = set()
    last = ""
    for line in text.splitlines():
        if line.startswith("# HELP "):
            name = line.split(" ", 3)[2]
            assert name not in helped, "one HELP line for each name"
            helped.add(name)
        elif line.startswith("# TYPE "):
            _, _, name, kind = line.split(" ")
            assert name not in kinds, "one TYPE line for each name"
            assert kind in ("counter", "gauge")
            assert kind != "counter" or name.endswith("_total")
            kinds[name] = kind
            last = name
        else:
            parts = _SAMPLE.fullmatch(line)
            assert parts is not None, line
            assert parts[1] == last, "samples of a name stand together below its TYPE"
            labels = _parse_labels(parts[2] or "")
            assert (parts[1], labels) not in found, "each combination of labels stands once"
            found[parts[1], labels] = float(parts[3])
    assert helped == set(kinds)
    return found


def _parse_labels(text: str) -> tuple[tuple[str, str], ...]:
    labels, at = [], 0
    while at < len(text):
        one = _LABEL.match(text, at)
        assert one is not None, text
        value = re.sub(r"\\(.)", lambda escape: {"n": "\n"}.get(escape[1], escape[1]), one[2])
        labels.append((one[1], value))
        at = one.end()
    return tuple(labels)


def test_the_metrics_of_a_web_are_well_formed(get_page: GetPage) -> None:
    reply = get_page("/metrics")
    assert reply.headers["content-type"] == "text/plain; version=0.0.4; charset=utf-8"
    found = parse_metrics(reply.text)
    assert found["gossamer_running", ()] == 0
    library = (("task", "2"), ("name", "library"))
    assert found["gossamer_downloaded_total", library] > 10
    assert found["gossamer_waiting", library] == 0


def test_sums_hold_in_metrics_too() -> None:
    status = make_snapshot(make_task()).status
    found = parse_metrics("".join(map(format_metric, list_metrics(status))))
    total: dict[str, float] = {}
    for (name, _), value in found.items():
        total[name.removeprefix("gossamer_").removesuffix("_total")] = (
            total.get(name.removeprefix("gossamer_").removesuffix("_total"), 0.0) + value
        )
    assert total["checked"] == total["queued"] + total["seen"] + total["filtered"]
    ends = ("downloaded", "requisites", "cache_hits", "redirected", "not_modified", "failed", "refused")
    assert total["queued"] == sum(total[name] for name in ends) + total["waiting"] + total["under_way"]
    assert total["oldest_visit_seconds"] == 61


@pytest.mark.parametrize("name", ['a"b', "a\\b", "a\nb", "a\\nb", "ä\u202e{}", 'x"} 1\nevil_total 9'])
def test_any_name_of_a_task_stays_within_its_label(name: str) -> None:
    status = make_snapshot(make_task(name=name)).status
    found = parse_metrics("".join(map(format_metric, list_metrics(status))))
    assert ("gossamer_waiting", (("task", "1"), ("name", name))) in found
    assert not any(key[0].startswith("evil") for key in found)
