"""Is a web whole? Its archive, its indexes and its state, checked against each other and repaired."""
