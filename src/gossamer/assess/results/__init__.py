"""What do the judgements say? Precision, agreement, reports and their plots."""
