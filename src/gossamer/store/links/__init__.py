"""How are the links of a web read as arrays? Arrow tables in, edges of a graph out."""
