"""How is a task checked, started, changed and stopped?"""
