"""What does the program show in a minute? The verb `gossamer demo`."""
