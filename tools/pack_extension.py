"""Pack the extension for Chromium and for Firefox, from one source: the same source always gives the same bytes.

The manifest in extension/ is that of Chromium, which loads the folder as it is. Firefox has a sidebar instead of a side panel,
and no service workers for extensions; its manifest is made from the other.
python tools/pack_extension.py [FOLDER]
"""

import json
import sys
import zipfile
from pathlib import Path
from typing import Any

REPOSITORY = Path(__file__).resolve().parents[1]
SOURCE = REPOSITORY / "extension"
ROOMS = ("background", "content", "icons", "pages")
SINCE = (1980, 1, 1, 0, 0, 0)
"""The date of every packed file: the oldest that the format has."""
_FILE_MODE = 0o644 << 16
FIREFOX_ID = "gossamer@gossamer.invalid"
OLDEST_FIREFOX = "140.0"
"""The first one with all that the extension calls and with the declaration of collected data; also the one of Debian 12."""


def read_manifest() -> dict[str, Any]:
    """Return the manifest of Chromium."""
    found: dict[str, Any] = json.loads((SOURCE / "manifest.json").read_text("utf-8"))
    return found


def make_firefox_manifest() -> dict[str, Any]:
    """Return the manifest of Firefox."""
    manifest = read_manifest()
    panel = manifest.pop("side_panel")["default_path"]
    del manifest["minimum_chrome_version"]
    worker = manifest["background"]["service_worker"]
    manifest["background"] = {"scripts": [worker], "type": "module"}
    manifest["permissions"] = [one for one in manifest["permissions"] if one != "sidePanel"]
    manifest["sidebar_action"] = {
        "default_panel": panel,
        "default_title": "Who links here?",
        "default_icon": manifest["icons"],
        "open_at_install": False,
    }
    manifest["browser_specific_settings"] = {
        "gecko": {
            "id": FIREFOX_ID,
            "strict_min_version": OLDEST_FIREFOX,
            "data_collection_permissions": {"required": ["none"]},
        }
    }
    return manifest


def list_files() -> list[Path]:
    """Return what is packed beside the manifest, by name."""
    return sorted(path for room in ROOMS for path in (SOURCE / room).iterdir() if path.is_file())


def pack(target: Path, manifest: dict[str, Any]) -> None:
    """Write one zip file."""
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as packed:
        _add(packed, "manifest.json", (json.dumps(manifest, indent=2) + "\n").encode())
        for path in list_files():
            _add(packed, path.relative_to(SOURCE).as_posix(), path.read_bytes())


def _add(packed: zipfile.ZipFile, name: str, content: bytes) -> None:
    entry = zipfile.ZipInfo(name, SINCE)
    entry.compress_type = zipfile.ZIP_DEFLATED
    entry.create_system = 3  # Unix, whatever this runs on
    entry.external_attr = _FILE_MODE
    packed.writestr(entry, content)


def pack_all(folder: Path) -> list[Path]:
    """Pack the extension for each browser; return the files."""
    folder.mkdir(parents=True, exist_ok=True)
    packed = []
    for browser, manifest in (("chromium", read_manifest()), ("firefox", make_firefox_manifest())):
        packed.append(folder / f"gossamer-extension-{manifest['version']}-{browser}.zip")
        pack(packed[-1], manifest)
    return packed


if __name__ == "__main__":
    for path in pack_all(Path(*sys.argv[1:2] or ["dist"])):
        print(path)
