"""How does a judge work? Sessions, what a judge sees, and CSV sheets."""
