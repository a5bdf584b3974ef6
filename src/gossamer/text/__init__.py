"""What is this text? Its language and its topic.

Nothing here reads more than its own model file.
"""
