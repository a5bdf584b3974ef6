"""How do pages of the lab need JavaScript? Shells for scripts to fill, those scripts, and attacks on a browser."""
