"""Sets of tags: those that begin a block, those whose text is not page text, and headings."""

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
"""Tags that begin and end a line. Controls of a form count: the texts of two buttons are not read as one."""

UNREAD_TAGS = frozenset(_UNREAD_NAMES.split())
"""Tags whose text is not page text: code, alternatives to embedded content, choices of a form, ruby glosses."""

HEADING_TAGS = ("h1", "h2", "h3", "h4", "h5", "h6")
"""By level, from 1."""
