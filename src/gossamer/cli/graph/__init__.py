"""How does a person study the links? The verbs of `gossamer graph`."""
