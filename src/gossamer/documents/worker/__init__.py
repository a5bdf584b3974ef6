"""How is a hostile file read safely? In a process with limits, which can be killed."""
