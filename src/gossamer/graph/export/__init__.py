"""How do other programs read a graph? Text, Parquet, GEXF and GraphML out."""
