"""What does Gossamer do, seen in one minute? The verb `gossamer demo`."""
