"""Who is told of a change, and how? HTML, an Atom feed, a command and a webhook."""
