"""How do you use the lab from the command line? The verbs of `gossamer lab`."""
