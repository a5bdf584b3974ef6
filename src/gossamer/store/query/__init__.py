"""How do people ask a web their own questions? One query in SQL, which only reads, with a limit of time."""
