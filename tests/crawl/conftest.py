"""Put the repository on the path, so that the processes of a crawl can import functions that a test defines."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
