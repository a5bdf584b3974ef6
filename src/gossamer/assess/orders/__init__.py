"""Which crawl order finds wanted pages soonest? Walks over the same web, compared."""
