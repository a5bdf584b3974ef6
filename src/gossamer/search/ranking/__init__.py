"""Which answer comes first? Reranking, cosine ranking, relevance feedback and explanations of scores."""
