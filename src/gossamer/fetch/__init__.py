"""Getting one page: names into addresses, addresses past the guard, bytes over the wire. Outcomes are values."""
