"""What is on a well-formed page? One compiled pass over its source, without building a tree."""
