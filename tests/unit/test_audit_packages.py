"""The audit reports advisories, and never takes silence for a good answer."""

import json
import time
from pathlib import Path
from typing import Any

import pytest
from tools import audit_packages

CLEAN = {"name": "a", "version": "1", "vulns": []}
SKIPPED = {"name": "b", "skip_reason": "not found"}
HIT = {"name": "c", "version": "2", "vulns": [{"id": "X-1", "fix_versions": ["3"]}]}


@pytest.fixture(autouse=True)
def own_state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(audit_packages, "AUDITED", tmp_path / "audited.json")


def answer(monkeypatch: pytest.MonkeyPatch, *found: dict[str, Any]) -> list[Path]:
    """Let every audit answer with these dependencies; return a list that gets what was asked for."""
    asked: list[Path] = []
    script = f"#!/bin/sh\ncat <<'EOF'\n{json.dumps({'dependencies': found})}\nEOF\n"
    program = audit_packages.AUDITED.with_name("pip-audit")
    program.write_text(script, "utf-8")
    program.chmod(0o755)
    monkeypatch.setattr(audit_packages, "PIP_AUDIT", program)
    real = audit_packages.audit

    def note_and_audit(pins: Path, longest_s: float) -> dict[str, Any] | None:
        asked.append(pins)
        return real(pins, longest_s)

    monkeypatch.setattr(audit_packages, "audit", note_and_audit)
    return asked


def test_packages_without_advisories_are_asked_about_once_a_day(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = answer(monkeypatch, CLEAN)
    assert audit_packages.main() == 0
    first = len(asked)
    assert first == 1 + len(audit_packages.PINS)
    assert audit_packages.main() == 0
    assert len(asked) == first
    assert capsys.readouterr().out == "audit: there are no advisories for the pinned packages.\n" * 2
    assert audit_packages.read_audited(time.time() + 2 * audit_packages.A_DAY_S) == {}


def test_an_advisory_fails_with_what_to_do(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    answer(monkeypatch, CLEAN, HIT)
    assert audit_packages.main() == 1
    assert "c 2: X-1, mended in 3" in capsys.readouterr().out
    assert not audit_packages.AUDITED.exists()


@pytest.mark.parametrize("found", [[SKIPPED], [SKIPPED, SKIPPED, CLEAN], [CLEAN, SKIPPED]])
def test_a_database_that_knows_nothing_counts_as_none(
    found: list[dict[str, Any]], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    answer(monkeypatch, *found)
    assert audit_packages.main() == 0
    assert "no advisory database answers here" in capsys.readouterr().out


def test_a_missing_or_failing_program_is_said_in_one_line(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(audit_packages, "PIP_AUDIT", tmp_path / "none")
    assert audit_packages.main() == 0
    assert len(capsys.readouterr().out.splitlines()) == 1


def test_an_audit_that_hangs_is_ended(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    program = tmp_path / "pip-audit"
    program.write_text("#!/bin/sh\nexec sleep 600\n", "utf-8")
    program.chmod(0o755)
    monkeypatch.setattr(audit_packages, "PIP_AUDIT", program)
    assert audit_packages.audit(tmp_path / "pins.txt", 0.1) is None
