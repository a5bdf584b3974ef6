"""What tags mean to a reader: which begin a block, which hold text that is not the page's, which are headings."""

_BLOCK_NAMES = (
    "address article aside blockquote body button caption center dd details dialog dir div dl dt fieldset figcaption "
    "figure footer form frameset h1 h2 h3 h4 h5 h6 header hgroup hr html label legend li listing main marquee menu "
    "nav ol p plaintext pre search section summary table tbody td tfoot th thead tr ul xmp"
)
_UNREAD_NAMES = (
    "audio canvas datalist head iframe noembed noframes noscript object rp rt script select style svg template "
    "textarea title video"
)

BLOCK_TAGS = frozenset(_BLOCK_NAMES.split())
"""What begins and ends a line. Controls of a form count: nobody reads the words of two buttons as one."""

UNREAD_TAGS = frozenset(_UNREAD_NAMES.split())
"""Text in these is not page text: code, alternatives to something shown, choices of a form, ruby glosses."""

HEADING_TAGS = ("h1", "h2", "h3", "h4", "h5", "h6")
"""By level, the first is 1."""
