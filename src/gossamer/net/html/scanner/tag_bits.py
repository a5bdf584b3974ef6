"""The meanings of tags for the scanner: a bit for each meaning, a set of bits for each tag.

Source: the HTML standard, sections 13.1.2.4 (tags that may be left out), 13.2.4.2 (special elements, scopes) and
13.2.6.4 (tree construction).
"""

from gossamer.net.html.block_tags import BLOCK_TAGS, HEADING_TAGS, UNREAD_TAGS

_TAGS_OF_MEANING = {
    "block": " ".join(BLOCK_TAGS | {"br"}),
    "unread": " ".join(UNREAD_TAGS - {"head"}),
    "void": "area base basefont bgsound br col embed hr img input keygen link meta param source track wbr",
    "formatting": "a b big code em font i nobr s small strike strong tt u",
    "special": (
        "address applet area article aside base basefont bgsound blockquote body br button caption center col colgroup "
        "dd details dir div dl dt embed fieldset figcaption figure footer form frame frameset h1 h2 h3 h4 h5 h6 head "
        "header hgroup hr html iframe img input keygen li link listing main marquee menu meta nav noembed noframes "
        "noscript object ol p param plaintext pre script search section select source style summary table tbody td "
        "template textarea tfoot th thead title tr track ul wbr xmp"
    ),
    "closes p": (
        "address article aside blockquote center dd details dialog dir div dl dt fieldset figcaption figure footer form "
        "h1 h2 h3 h4 h5 h6 header hgroup hr li listing main menu nav ol p pre search section summary table ul xmp"
    ),
    # The search for an open element that an end tag could close stops at these.
    "scope": "applet caption html marquee object table td th",
    "paragraph scope": "applet button caption html marquee object table td th",
    # Formatting that is open outside these is not opened again inside them.
    "marker": "applet caption marquee object td th",
    "end implied": "dd dt li optgroup option p rb rp rt rtc",
    "end scoped": (
        "address applet article aside blockquote button center dd details dialog dir div dl dt fieldset figcaption "
        "figure footer header hgroup listing main marquee menu nav object ol pre search section summary ul"
    ),
    "heading": " ".join(HEADING_TAGS),
    # Their content is not mark-up.
    "raw": "iframe noembed noframes script style textarea title xmp",
    "in head": "base basefont bgsound head link meta noframes noscript script style title",
    "in head noscript": "basefont bgsound link meta noframes style",
    "table part": "caption col colgroup table tbody td tfoot th thead tr",
    # Within a drawing, these leave it, or return to HTML, or have rules of their own.
    "leaves drawing": (
        "a annotation-xml area b base big blockquote body br center code dd desc div dl dt em embed font foreignobject form "
        "frame h1 h2 h3 h4 h5 h6 head hr html i iframe img li link listing math menu meta nobr ol p pre ruby s script small span strike strong sub sup "
        "svg table tt u ul var"
    ),
    # Their attributes are recorded: URLs, metadata of the page, the texts of images.
    "named": "area base form html iframe img link meta",
    # The standard has special rules for these: they are left to the parser.
    "mended": "frame frameset image math plaintext rb rp rt rtc template",
}

MEANINGS = {meaning: 1 << bit for bit, meaning in enumerate(_TAGS_OF_MEANING)}
TAGS: dict[str, int] = {}
for _meaning, _names in _TAGS_OF_MEANING.items():
    for _name in _names.split():
        TAGS[_name] = TAGS.get(_name, 0) | MEANINGS[_meaning]
