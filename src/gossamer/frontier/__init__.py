"""What may be fetched now: hosts and their pauses, queues, fairness, budgets, what was seen. The clock is an argument."""
