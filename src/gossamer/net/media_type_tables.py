"""Tables that recognise kinds of content: signatures, labels, file name extensions and first elements."""

from typing import Literal

Kind = Literal[
    "html",
    "text",
    "xml",
    "sitemap",
    "feed",
    "pdf",
    "image",
    "audio",
    "video",
    "archive",
    "font",
    "script",
    "style",
    "json",
    "office",
    "postscript",
    "binary",
    "empty",
]
"""The kinds of responses. XHTML is html, SVG is image, e-books are office."""

# First bytes, as regular expressions; each is so long or so odd that no text in any language begins with it.
# Sources: WHATWG MIME Sniffing Standard, section 6; the specifications of the formats.
SIGNATURES: dict[Kind, tuple[bytes, ...]] = {
    "pdf": (rb"[\t\n\f\r ]*+%PDF-",),
    "postscript": (rb"(?:\x04)?%!PS", rb"\xc5\xd0\xd3\xc6"),
    "office": (
        rb"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1",  # OLE: doc, xls, ppt
        rb"\{\\rtf",
        # A zip file whose first member shows that it is OOXML, OpenDocument or EPUB.
        rb"PK\x03\x04.{26}(?:\[Content_Types\]\.xml|_rels/|docProps/|word/|xl/|ppt/)",
        rb"PK\x03\x04.{26}mimetypeapplication/(?:vnd\.oasis|vnd\.sun|epub)",
    ),
    "image": (
        rb"GIF8[79]a",
        rb"\x89PNG\r\n\x1a\n",
        rb"\xff\xd8\xff",
        rb"RIFF.{4}WEBPVP",
        rb"BM.{4}\0\0\0\0",
        rb"\0\0[\x01\x02]\0[^\0]\0",  # icons and cursors
        rb"II\*\0|MM\0\*",
        rb"8BPS\0\x01",
        rb"\0\0\0.ftyp(?:avif|avis|heic|heix|mif1)",
        rb"\0\0\0\x0cJXL ",
        rb"\xff\x0a",  # JPEG XL without a container
        rb"\0\0\0\x0cjP  ",
    ),
    "audio": (
        rb"ID3[\x02-\x04]",
        rb"\xff[\xfb\xf3\xf2][^\0-\x0f]",  # an MPEG frame
        rb"RIFF.{4}WAVE",
        rb"OggS\0",
        rb"fLaC\0",
        rb"MThd\0\0\0\x06",
        rb"FORM.{4}AIF[FC]",
        rb"\.snd\0",
        rb"\0\0\0.ftypM4A",
    ),
    "video": (
        rb"\0\0.{2}ftyp",
        rb"\x1a\x45\xdf\xa3",  # Matroska, WebM
        rb"RIFF.{4}AVI ",
        rb"FLV\x01",
        rb"\0\0\x01[\xba\xb3]",
        rb"\x30\x26\xb2\x75\x8e\x66\xcf\x11",
        rb"[CFZ]WS[\x01-\x08\x0e-\x1f]",  # Flash
    ),
    "archive": (
        rb"\x1f\x8b\x08",
        rb"\x1f\x9d",
        rb"PK(?:\x03\x04|\x05\x06|\x07\x08)",
        rb"Rar!\x1a\x07",
        rb"7z\xbc\xaf\x27\x1c",
        rb"BZh[1-9]1AY&SY",
        rb"\xfd7zXZ\0",
        rb"\x28\xb5\x2f\xfd",
        rb"\x04\x22\x4d\x18",
        rb"MSCF\0\0\0\0",
        rb"!<arch>\n",
        rb"\xed\xab\xee\xdb",
        rb".{257}ustar[\0 ]",
        rb"WARC/[01]\.\d+\r?\n",
    ),
    "font": (
        rb"wOF[F2](?:OTTO|true|\0\x01\0\0)",
        rb"OTTO\0",
        rb"\0\x01\0\0\0",
        rb"ttcf\0",
    ),
    "binary": (
        rb"\x7fELF",
        rb"MZ.{0,6}[\0-\x08]",
        rb"\xca\xfe\xba\xbe",
        rb"[\xce\xcf]\xfa\xed\xfe",
        rb"\0asm",
        rb"SQLite format 3\0",
    ),
}

# Labels: the whole label, then the end of the subtype, then the type. Other labels have no meaning.
LABELS: dict[str, Kind] = {
    "text/html": "html",
    "application/xhtml+xml": "html",
    "application/vnd.wap.xhtml+xml": "html",
    "text/xml": "xml",
    "application/xml": "xml",
    "application/rss+xml": "feed",
    "application/atom+xml": "feed",
    "application/rdf+xml": "xml",
    "application/feed+json": "json",
    "application/pdf": "pdf",
    "application/x-pdf": "pdf",
    "application/postscript": "postscript",
    "application/eps": "postscript",
    "text/javascript": "script",
    "text/ecmascript": "script",
    "text/x-javascript": "script",
    "application/javascript": "script",
    "application/x-javascript": "script",
    "application/ecmascript": "script",
    "text/css": "style",
    "application/json": "json",
    "text/json": "json",
    "application/x-ndjson": "json",
    "application/rtf": "office",
    "text/rtf": "office",
    "application/msword": "office",
    "application/epub+zip": "office",
    "application/zip": "archive",
    "application/gzip": "archive",
    "application/x-gzip": "archive",
    "application/x-tar": "archive",
    "application/x-bzip2": "archive",
    "application/x-xz": "archive",
    "application/zstd": "archive",
    "application/x-7z-compressed": "archive",
    "application/x-rar-compressed": "archive",
    "application/vnd.rar": "archive",
    "application/java-archive": "archive",
    "application/warc": "archive",
    "application/font-woff": "font",
    "application/x-font-woff": "font",
    "application/x-font-ttf": "font",
    "application/x-font-otf": "font",
    "application/vnd.ms-fontobject": "font",
    "application/ogg": "audio",
    "application/mp4": "video",
    "application/x-shockwave-flash": "video",
    "application/wasm": "binary",
    "application/x-msdownload": "binary",
    "application/x-executable": "binary",
    "application/vnd.android.package-archive": "archive",
    "application/x-debian-package": "archive",
    "message/rfc822": "text",
}

LABEL_ENDS: tuple[tuple[str, Kind], ...] = (("+xml", "xml"), ("+json", "json"), ("+zip", "archive"))

LABEL_STARTS: tuple[tuple[str, Kind], ...] = (
    ("text/", "text"),
    ("image/", "image"),
    ("audio/", "audio"),
    ("video/", "video"),
    ("font/", "font"),
    ("application/vnd.openxmlformats", "office"),
    ("application/vnd.oasis.opendocument", "office"),
    ("application/vnd.ms-excel", "office"),
    ("application/vnd.ms-powerpoint", "office"),
    ("application/vnd.ms-word", "office"),
)

# The first element of a document (without its namespace prefix, in lower case).
ROOTS: dict[bytes, Kind] = {
    b"html": "html",
    b"urlset": "sitemap",
    b"sitemapindex": "sitemap",
    b"rss": "feed",
    b"feed": "feed",
    b"svg": "image",
}

# Elements that an HTML page without html tag and doctype may begin with.
HTML_STARTS = frozenset(
    b"head body title meta link base script style noscript iframe frameset h1 h2 h3 h4 h5 h6 div span font table "
    b"tbody tr td th a b i u em strong br p center ul ol li dl hr img form pre blockquote article section main nav "
    b"header footer aside template button input label select figure picture video audio canvas".split()
)

_EXTENSIONS_OF_KIND: dict[Kind, str] = {
    "html": "html htm xhtml xht shtml php asp aspx jsp cfm",
    "text": "txt text md rst csv tsv log ini conf tex bib ics vcf srt c h cc cpp java py pl rb go rs sh",
    "xml": "xml xsl xslt xsd rdf owl kml",
    "feed": "rss atom",
    "pdf": "pdf",
    "postscript": "ps eps ai",
    "image": "png jpg jpeg jpe gif webp svg bmp ico tif tiff avif heic jxl psd",
    "audio": "mp3 wav ogg oga opus flac m4a aac mid midi aif aiff au wma",
    "video": "mp4 m4v webm mkv avi mov qt mpg mpeg ogv flv wmv swf 3gp",
    "archive": "zip gz tgz bz2 xz zst 7z rar tar jar apk deb rpm iso dmg cab warc",
    "font": "woff woff2 ttf otf ttc eot",
    "script": "js mjs cjs",
    "style": "css",
    "json": "json jsonld geojson webmanifest map",
    "office": "doc docx dot xls xlsx xlsm ppt pptx pps odt ods odp rtf epub",
    "binary": "exe dll msi bin dat class so o wasm",
}

EXTENSIONS: dict[str, Kind] = {
    extension: kind for kind, extensions in _EXTENSIONS_OF_KIND.items() for extension in extensions.split()
}
