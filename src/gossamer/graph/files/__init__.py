"""How is a graph read from files? Text, Parquet and GraphML."""

from gossamer.graph.files.read_graph import read

__all__ = ["read"]
