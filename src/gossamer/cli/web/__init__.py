"""What is this web called? The verbs of `gossamer web`."""
