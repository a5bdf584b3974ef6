"""What happens to one link? From taken to recorded."""
