"""How is the result of a check written for other programs and for people? One module for each format."""
