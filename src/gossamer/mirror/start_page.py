"""Write the page that a mirror is opened by: it leads to the start page."""

from html import escape

_PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="refresh" content="0; url={way}">
<title>Mirror of {title}</title>
</head>
<body>
<p>This is a mirror of <a href="{way}">{title}</a>.</p>
</body>
</html>
"""


def make_start_page(way: str, url: str) -> bytes:
    """Return a page that leads to a file; `way` is its address, relative and escaped."""
    return _PAGE.format(way=escape(way), title=escape(url)).encode()
