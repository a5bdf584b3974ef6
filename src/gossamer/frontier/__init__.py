"""What may be fetched now? Hosts and their pauses, queues, fairness and the seen set; the clock is an argument."""
