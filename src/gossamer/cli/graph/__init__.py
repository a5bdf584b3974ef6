"""How do you study links on the command line? The verbs of `gossamer graph`."""
