"""The verbs for crawls on several machines."""
