"""What runs when, what came of it, and who is told?"""
