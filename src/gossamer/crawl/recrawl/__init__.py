"""Which pages are due for another visit, and how are they requested?"""
