"""How are several webs searched at once? Each is asked at the same time, and their answers become one list."""
