"""How does a person search? index, search and serve."""
