"""How do fetchers on several machines share one crawl, and what happens when one of them vanishes?"""
