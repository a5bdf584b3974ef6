"""What does one shard do all day? Refill, visit, commit, watch."""
