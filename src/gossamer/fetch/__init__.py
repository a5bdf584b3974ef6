"""How is one page fetched?

`dns/` finds the addresses of a host, `address_guard` refuses those that are not public, `http/` gets the page, and
`robots_cache` gets robots.txt. Outcomes are values: a fetcher never raises for what servers and networks do.
"""
