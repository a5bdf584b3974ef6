"""How good is a crawl, as people judge it?"""
