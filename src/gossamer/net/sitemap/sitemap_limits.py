"""The limits within which a sitemap is read: URLs, bytes, nesting, tags and faults of one file."""

MAX_URLS = 50_000
"""In one file, unusable ones included: the limit of the protocol."""
MAX_BYTES = 50 * 1024 * 1024
"""Of one unpacked file: the limit of the protocol."""
MAX_GZIP_LAYERS = 2
"""Some servers compress the .gz file again; more than two layers are a trap."""
MAX_GZIP_MEMBERS = 1_000
"""Block-wise compressors write a member for each 64 KiB: 800 for 50 MiB. Empty members cost time and yield nothing."""
MAX_FIELD_CHARS = 4_096
MAX_TOKEN_CHARS = 1 << 20
"""No sitemap has a longer tag or comment; expat before 2.6 parses long ones in quadratic time."""
MAX_DEPTH = 64
MAX_TAGS = 3_000_000
"""50,000 URLs with 30 elements each; without a limit, 50 MiB of `<a/>` would take ten seconds."""
MAX_FAULTS = 1_000_000
"""20 unescaped ampersands in each of 50,000 URLs."""
MAX_NAMES = 10_000
"""expat stores every name that occurs."""
