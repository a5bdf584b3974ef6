"""The script that mitmdump loads. It finds our package beside itself, without its other packages, whose versions are not mitmproxy's."""

import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

_PACKAGE = Path(__file__).resolve().parents[2]


def _find_package() -> None:
    spec = spec_from_file_location(
        "gossamer", _PACKAGE / "__init__.py", submodule_search_locations=[str(_PACKAGE)]
    )
    if spec is None or spec.loader is None:
        raise ImportError(f"{_PACKAGE} cannot be read")
    module = sys.modules["gossamer"] = module_from_spec(spec)
    spec.loader.exec_module(module)


if "gossamer" not in sys.modules:
    _find_package()

from gossamer.reading_proxy.addon.addon import addons  # noqa: E402, F401 - mitmdump reads it
