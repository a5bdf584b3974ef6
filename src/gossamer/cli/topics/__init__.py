"""How does a person train and check topics? The verbs of `gossamer topics`."""
