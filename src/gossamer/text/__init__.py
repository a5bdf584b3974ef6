"""What a text is. Pure: nothing here reads more than its own model file."""
