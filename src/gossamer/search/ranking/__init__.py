"""Which answer comes first? Reranking, cosine ranking and relevance feedback."""
