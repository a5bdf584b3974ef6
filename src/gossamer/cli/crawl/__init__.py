"""How does a person run a crawl? crawl, resume, tasks, stop, change, submit, recrawl and explain."""
