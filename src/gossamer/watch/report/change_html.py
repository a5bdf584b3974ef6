"""Changes as HTML: for a page of its own (--html), for `gossamer serve`, and for the entries of a feed. All text is escaped."""

import re
from collections.abc import Sequence
from html import escape

from gossamer.watch.change_log import BlockChange, PageChange, describe_change, format_minute

_CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]")
_TAGS = {"same": "", "gone": "del", "new": "ins"}
_LABELS = {"changed": "Changed", "added": "New", "removed": "Removed"}
# A second line of defence: a browser neither runs scripts nor fetches anything, even if text were not escaped.
_POLICY = "default-src 'none'; style-src 'unsafe-inline'"
STYLE = """
:root { color-scheme: light dark; --ink: #1b2421; --paper: #fff; --soft: #5a6763; --line: #d9e0dd; --link: #0b5c7a;
  --new: #d5f2dc; --gone: #fbdcd9 }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e4ebe8; --paper: #141a18; --soft: #a3b1ac; --line: #33403b; --link: #86c9e6;
    --new: #1d4a2c; --gone: #5a2320 }
}
body { font: 1rem/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper);
  max-width: 46rem; margin: 1.5rem auto; padding: 0 1rem; overflow-wrap: anywhere }
a { color: var(--link) }
article { border-top: 1px solid var(--line); padding: .75rem 0 }
h2 { font-size: 1.1rem; margin: 0 }
.when { color: var(--soft); font-size: .9rem; margin: 0 }
.block { border-left: 3px solid var(--line); padding-left: .75rem; margin: .75rem 0 }
.block b { display: block; color: var(--soft); font-size: .8rem; font-weight: 600 }
ins { background: var(--new); text-decoration: none; border-radius: 2px }
del { background: var(--gone); border-radius: 2px }
"""


def clean(text: str) -> str:
    """Return text from the web escaped for HTML and XML, without characters that neither may have."""
    return escape(_CONTROLS.sub(" ", text))


def render_blocks(change: PageChange) -> str:
    """Return the paragraphs of a change, with words that came in <ins> and words that went in <del>."""
    pieces = [_render_block(block) for block in change.blocks]
    if change.left_out:
        pieces.append(f'<p class="when">{change.left_out:,} more paragraphs differ.</p>')
    return "\n".join(pieces)


def _render_block(block: BlockChange) -> str:
    words = "".join(
        f"<{_TAGS[span.kind]}>{clean(span.text)}</{_TAGS[span.kind]}>"
        if _TAGS[span.kind]
        else clean(span.text)
        for span in block.words
    )
    return f'<div class="block {block.kind}"><b>{_LABELS[block.kind]}</b><div dir="auto">{words}</div></div>'


def render_page(changes: Sequence[PageChange]) -> str:
    """Return a self-contained page of changes, the newest first."""
    articles = [_render_article(change) for change in changes] or ["<p>No change has been seen yet.</p>"]
    return "\n".join(
        [
            '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">',
            f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            f"<title>Changes of watched pages</title>\n<style>{STYLE}</style>\n</head>\n<body>",
            "<h1>Changes of watched pages</h1>",
            *articles,
            "</body>\n</html>\n",
        ]
    )


def _render_article(change: PageChange) -> str:
    part = f", {clean(change.part)}" if change.part else ""
    since = f", compared with {format_minute(change.before_s)}" if change.before_s else ""
    return "\n".join(
        [
            "<article>",
            f'<h2 dir="auto"><a href="{clean(change.url)}" rel="noreferrer">{clean(make_title(change))}</a></h2>',
            f'<p class="when">{clean(change.url)}{part}</p>' if change.title or part else "",
            f'<p class="when">{format_minute(change.when_s)}{since}</p>',
            f"<p>{clean(describe_change(change))}</p>",
            render_blocks(change),
            "</article>",
        ]
    )


def make_title(change: PageChange) -> str:
    """Return what a change is called: the title of its page, or else its URL."""
    return " ".join(change.title.split())[:200] or change.url
