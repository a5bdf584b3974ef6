"""Which documents are behind a count of a task?"""
