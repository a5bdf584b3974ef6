"""Where is a web, and how are its state, its archive, its index and its models opened?"""
