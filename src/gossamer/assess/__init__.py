"""How good a crawl is, as people judge it: blind samples, verdicts, precision, agreement."""
