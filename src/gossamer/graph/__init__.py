"""What do the links of a web say? Graphs as arrays, and what can be computed from them."""
