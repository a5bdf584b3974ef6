"""What does a long run tell its operator? Logs by Python's `logging`, without secrets and without control characters."""
