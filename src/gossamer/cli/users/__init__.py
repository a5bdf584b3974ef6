"""Who may use `gossamer serve`? The verbs of `gossamer users`."""
