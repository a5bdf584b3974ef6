"""What runs inside mitmproxy? Only Python's own library and mitmproxy are imported here, since its packages contradict ours."""
