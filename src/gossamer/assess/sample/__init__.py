"""Which pages are judged? Samples by strata, drawn blind."""
