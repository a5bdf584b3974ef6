"""Check a bill of materials against the schema of CycloneDX, with the library of its authors; needs the release tools.

python tools/check_bill.py dist/gossamer-0.1.0.cdx.json
"""

import sys
from pathlib import Path

from cyclonedx.schema import SchemaVersion  # type: ignore[import-not-found, unused-ignore]
from cyclonedx.validation.json import JsonStrictValidator  # type: ignore[import-not-found, unused-ignore]


def check_bill(path: Path) -> str:
    """Return what is wrong with a bill of materials; "" if it is valid."""
    error = JsonStrictValidator(SchemaVersion.V1_6).validate_str(path.read_text("utf-8"))
    return str(error) if error is not None else ""


if __name__ == "__main__":
    for given in sys.argv[1:]:
        if wrong := check_bill(Path(given)):
            sys.exit(f"{given} is not valid: {wrong}")
        print(f"{given} is a valid bill of materials (CycloneDX 1.6)")
