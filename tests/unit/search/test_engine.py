import importlib
import sys

import pytest

from gossamer.errors import MissingExtra
from gossamer.search import engine


def test_without_the_engine_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "tantivy", None)
    with pytest.raises(MissingExtra, match=r"gossamer\[search\]"):
        importlib.reload(engine)
