"""How is a crawl put together? In this process, in several, in the background or simulated."""
