"""How is a web collected? The life of one link, the tasks that steer it, and the loop around it."""
