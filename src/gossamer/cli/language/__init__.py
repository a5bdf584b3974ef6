"""How does a person detect and train languages? The verbs of `gossamer language`."""
