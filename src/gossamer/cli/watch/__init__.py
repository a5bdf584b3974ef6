"""How do you watch pages? The verb `gossamer watch`."""
