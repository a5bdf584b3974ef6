"""Data that scripts derive is what the documentation says it is: docs/decisions/0014-where-models-live.md."""

import hashlib
import re
from pathlib import Path

import pytest

from gossamer.text.language.model.model import SHIPPED

ROOT = Path(__file__).parents[2]
DECISION = ROOT / "docs" / "decisions" / "0014-where-models-live.md"
# | `file` (a remark) | `script` | reader |
DERIVED = re.findall(r"^\| `(src/[^`]+)`[^|]*\| `([^`]+)` \|", DECISION.read_text("utf-8"), re.MULTILINE)


def test_the_shipped_model_has_the_digest_beside_its_sources() -> None:
    sources = SHIPPED.with_name("model-sources.md").read_text("utf-8")
    digest = hashlib.sha256(SHIPPED.read_bytes()).hexdigest()
    assert re.findall(r"sha256 ([0-9a-f]{64})", sources) == [digest]


def test_the_decision_lists_derived_data() -> None:
    assert str(SHIPPED.relative_to(ROOT / "src")) in {data.removeprefix("src/") for data, _ in DERIVED}
    assert len(DERIVED) >= 3


@pytest.mark.parametrize(("data", "script"), DERIVED)
def test_derived_data_names_the_script_that_writes_it(data: str, script: str) -> None:
    path = ROOT / data
    text = path.with_name("model-sources.md") if path.suffix == ".bin" else path
    assert script in text.read_text("utf-8")
    assert (ROOT / script).is_file()


def test_every_module_that_names_its_script_is_listed() -> None:
    naming = {
        str(path.relative_to(ROOT))
        for path in (ROOT / "src").rglob("*.py")
        if re.search(r"[Ll]earnt by `(bench|tools)/", path.read_text("utf-8"))
    }
    assert naming <= {data for data, _ in DERIVED}
