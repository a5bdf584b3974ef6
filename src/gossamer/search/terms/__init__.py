"""Which terms are indexed for a word? Splitting, stemming, compounds and stop words, by language."""
