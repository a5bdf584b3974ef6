"""The words a reader sees: of a whole page, line by line, and of one element, such as a link."""

from collections.abc import Iterator
from itertools import islice

from gossamer.net.tree import TEXT, Node, Tree, tag_id, tag_ids

# What begins and ends a line. Form controls count, for nobody reads the words of two buttons as one.
_BLOCKS = tag_ids(
    "address article aside blockquote body button caption center dd details dialog dir div dl dt fieldset"
    " figcaption figure footer form frameset h1 h2 h3 h4 h5 h6 header hgroup html legend li listing main marquee"
    " menu nav ol optgroup option p plaintext pre search section select summary table tbody td textarea tfoot th"
    " thead tr ul xmp"
)
_BREAKS = tag_ids("br hr")
_BORDERS = _BLOCKS | _BREAKS
# What is not shown, or only by browsers that lack something; drawings; how to pronounce the word beside it.
_HIDDEN = tag_ids(
    "audio canvas datalist head iframe noembed noframes noscript rp rt script style svg template title video"
)
_IMAGE = tag_id("img")
_NOT_PLAIN = _BORDERS | _HIDDEN | {_IMAGE}

# The parser never gives this character away: it becomes U+FFFD or nothing.
_LINE_END = "\0"

MAX_LABEL_NODES = 1_000
MAX_LABEL_CHARS = 10_000
"""How much of a link or a heading is read: more than any has, and a bound for those that hold a whole page."""


def collapsed(text: str) -> str:
    """Return a text with one space for each run of white space inside and none around."""
    return " ".join(text.split())


def text_of(tree: Tree) -> str:
    """Return the words a reader sees, one space between words, a line for each block."""
    return "\n".join(_lines(tree.root)) if tree.root is not None else ""


def words_of(element: Node, with_alternatives: bool = False) -> str:
    """Return the words a reader sees in one element, on one line; those of its images too, if asked for."""
    child = element.first_child
    # Most hold one text, alone or inside others that hold nothing else.
    while child is not None and child.next is None:
        tag = child.tag_id
        if tag == TEXT:
            return collapsed((child.text_content or "")[:MAX_LABEL_CHARS])
        if tag in _NOT_PLAIN:
            break
        child = child.first_child
    if child is None:
        return ""
    for inner in islice(element.traverse(), 1, MAX_LABEL_NODES):
        if inner.tag_id in _NOT_PLAIN:
            return " ".join(_lines(element, MAX_LABEL_NODES, MAX_LABEL_CHARS, with_alternatives))
    return collapsed(element.text_lexbor()[:MAX_LABEL_CHARS])


def _lines(
    root: Node, max_nodes: int | None = None, max_chars: int | None = None, with_alternatives: bool = False
) -> Iterator[str]:
    """Gather the lines of text below a node.

    Words of different blocks never touch, mark-up within a line never parts a word. Where a block begins is
    plain from the walk. Where one ends is looked up only when more text follows before another begins: then
    that text stands in another block than the text before it.
    Cost: O(length); for a page more than its parse, since it visits every text and every word.
    """
    parts: list[str] = []
    texts: list[tuple[int, Node]] = []
    border, resume_at = root, 0
    for node in islice(root.traverse(include_text=True), 1, max_nodes):
        if resume_at:
            if node.mem_id != resume_at:
                continue
            resume_at = 0
        tag = node.tag_id
        if tag == TEXT:
            text = node.text_content or ""
            if not text.isspace():
                texts.append((len(parts), node))
            parts.append(text)
        elif tag in _BORDERS:
            if len(texts) > 1:
                _end_blocks(parts, texts, border)
            texts.clear()
            border = node
            parts.append(_LINE_END)
        elif tag in _HIDDEN:
            after = _after(node)
            if after is None:
                break
            resume_at = after.mem_id
        elif tag == _IMAGE and with_alternatives:
            parts.append(f" {node.attributes.get('alt') or ''} ")
    if len(texts) > 1:
        _end_blocks(parts, texts, border)
    return filter(None, map(collapsed, "".join(parts)[:max_chars].split(_LINE_END)))


def _end_blocks(parts: list[str], texts: list[tuple[int, Node]], border: Node) -> None:
    """End the line where a text stands in another block than the text before, no block having begun."""
    if _block_around(texts[-1][1]) == border.mem_id:
        return
    blocks = [_block_around(node) for _, node in texts]
    for (place, _), block, block_before in zip(texts[1:], blocks[1:], blocks, strict=False):
        if block != block_before:
            parts[place] = _LINE_END + parts[place]


def _block_around(node: Node) -> int:
    above = node.parent
    while above is not None and above.tag_id not in _BLOCKS:
        above = above.parent
    return above.mem_id if above is not None else 0


def _after(node: Node) -> Node | None:
    """Return the node that follows an element and all it holds, in page order."""
    here: Node | None = node
    while here is not None and here.next is None:
        here = here.parent
    return here.next if here is not None else None
