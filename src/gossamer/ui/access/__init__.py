"""Who may do what on a server? Users, roles, tokens and sessions."""
