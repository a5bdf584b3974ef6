"""What do paired browsers ask? The API of cards, marks, backlinks and pairing."""
