"""What do the console and the command line both say of crawls? Previews, decisions of rules, documents behind counts, and hosts."""
