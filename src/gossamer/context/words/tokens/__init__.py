"""How is the running text of a web kept as numbered tokens? Segments, kept up to date with the web."""
