"""How does a person use the synthetic web? The verbs of `gossamer lab`."""
