"""How do you search a web? The verbs index, search and serve."""
