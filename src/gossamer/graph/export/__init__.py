"""How do other programs read a graph? Written as text, Parquet, GEXF or GraphML."""
