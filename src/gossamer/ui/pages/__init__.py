"""Which pages does the server show? Search, cached copies, assessment and submission."""
