"""What is this text? Its language and its topic; nothing here reads more than its own model file."""
