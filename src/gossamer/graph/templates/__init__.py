"""Which links does a template repeat? Navigation, footers and licence links, recognised from the crawl itself."""
