"""Which links of a site are broken, and what else is wrong with its pages? A reader of the crawl."""
