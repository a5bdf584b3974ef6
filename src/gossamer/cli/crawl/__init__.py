"""How do you run a crawl? The verbs crawl, resume, tasks, stop, change, submit, recrawl and explain."""
