"""How does a terminal show what the console shows? Previews, decisions of rules, documents behind counts, and hosts."""
