"""What does a query mean? From the words a person types to a query of the engine."""
