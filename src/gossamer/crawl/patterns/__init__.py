"""How are patterns that people type tried, before a crawl or a page uses them?"""
