"""How does a judge work? Judging sessions, the view of a page, and CSV sheets."""
