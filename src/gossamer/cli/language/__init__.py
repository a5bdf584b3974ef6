"""How do you detect languages and train the detector? The verbs of `gossamer language`."""
