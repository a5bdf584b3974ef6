"""Which answers belong together? Groups of answers that share words, with labels from their texts."""
