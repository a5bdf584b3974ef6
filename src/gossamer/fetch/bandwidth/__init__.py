"""How fast may bytes arrive? Rates by host and hour, and receivers that pause until there is room."""
