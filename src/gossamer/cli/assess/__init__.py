"""How do you judge the pages of a crawl? The verb `gossamer assess`."""
