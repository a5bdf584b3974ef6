"""Lets the tests of whole crawls share a harness: modules of this folder can be imported from the repository's root."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
