"""What goes wrong in the synthetic web, and what changes over time? Troubles and timetables, all from hashes."""
