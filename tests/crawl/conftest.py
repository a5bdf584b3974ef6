"""Lets the processes of a crawl find functions that a test defines: they look where the test's own process does."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
