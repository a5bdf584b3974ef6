"""What does a crawl do at this moment, why, and what should it do instead?"""
