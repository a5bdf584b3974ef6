"""How does a person judge a crawl? The verb `gossamer assess`."""
