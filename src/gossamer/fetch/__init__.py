"""How is one page fetched? Names to addresses, addresses past the guard, bytes over the wire; outcomes are values."""
