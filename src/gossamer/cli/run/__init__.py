"""How does a schedule run for years? The verb `gossamer run`: one process that starts what is due."""
