"""What was due, started, finished and missed? A journal in SQLite that outlives every process."""
