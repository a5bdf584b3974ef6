"""How do you train, use and check topics? The verbs of `gossamer topics`."""
