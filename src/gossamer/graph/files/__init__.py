"""What do node and edge files say? Text, Parquet and GraphML in."""

from gossamer.graph.files.read_graph import read

__all__ = ["read"]
