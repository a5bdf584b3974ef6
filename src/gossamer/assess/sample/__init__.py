"""Which pages are judged? Samples by strata, drawn at random and shown blind."""
