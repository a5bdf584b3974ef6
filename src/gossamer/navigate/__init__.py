"""What does the collection know about the page that a person reads, and about the links on it?"""
