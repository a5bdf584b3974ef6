"""How is a crawl steered from another process? Tasks go on, a process starts that crawls, and the same as a command."""
