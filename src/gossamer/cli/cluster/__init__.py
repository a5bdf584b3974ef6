"""How does a person start fetchers and see who is there?"""
