"""Extracts the visible text of a page, line by line, and of single elements such as links."""

from collections.abc import Iterable, Iterator, Sequence

from gossamer.net.html.block_tags import BLOCK_TAGS, UNREAD_TAGS
from gossamer.net.html.outline import collapse_spaces
from gossamer.net.html.parse_tree import Element, Node, Text, Tree, find_elements

MAX_LABEL_NODES = 1_000
MAX_LABEL_CHARS = 10_000
"""How much of a link or a heading is read: more than any honest one has, in case one contains a whole page."""

# So many characters may be read repeatedly: this takes ten milliseconds.
_HARMLESS_CHARS = 50_000_000

# Tags that begin and end a line.
_BORDER_TAGS = BLOCK_TAGS | {"br"}
# The parser never returns this character: it becomes U+FFFD or nothing.
_LINE_END = "\0"
# The meanings of elements for the walk over a page; an element without meaning is mark-up within a line.
_BLOCK, _UNREAD, _HOLDER, _BLOCK_HOLDER = range(1, 5)
# Mark-up within a line that is frequent in links and headings.
_PLAIN_NAMES = "a,span,code,em,strong,b,i"


def read_text(tree: Tree) -> str:
    """Return the visible text, one space between words, a line for each block.

    Words of different blocks are never joined, and mark-up within a line never splits a word. The walk enters only
    elements that contain a block or unread text; the text of every other element, most of the page, takes one call.
    Cost: O(nodes + characters), at any depth.
    """
    meanings = _find_meanings(tree)
    parts: list[str] = []
    ancestors: list[tuple[Iterator[Node], str]] = [(iter(tree.children), "")]
    while ancestors:
        children, end = ancestors[-1]
        for child in children:
            if isinstance(child, Text):
                parts.append(child.data)
                continue
            meaning = meanings.get(child, 0)
            if meaning >= _HOLDER:
                border = _LINE_END if meaning == _BLOCK_HOLDER else ""
                parts.append(border)
                ancestors.append((iter(child.children), border))
                break
            if meaning == _BLOCK:
                parts += (_LINE_END, child.text, _LINE_END)
            elif meaning != _UNREAD and isinstance(child, Element):
                parts.append(child.text)
        else:
            parts.append(end)
            ancestors.pop()
    return "\n".join(filter(None, map(" ".join, map(str.split, "".join(parts).split(_LINE_END)))))


def _find_meanings(tree: Tree) -> dict[Node, int]:
    """Return the elements that begin and end a line, those that are not read, and those that contain them."""
    meanings: dict[Node, int] = {}
    for tag in _BORDER_TAGS:
        for element in find_elements(tree, tag):
            meanings[element] = _BLOCK
    for tag in UNREAD_TAGS:
        for element in find_elements(tree, tag):
            meanings[element] = _UNREAD
    for inner in list(meanings):
        above = inner.parent
        while above is not None:
            meaning = meanings.get(above, 0)
            if meaning > _BLOCK:
                break
            meanings[above] = _BLOCK_HOLDER if meaning == _BLOCK else _HOLDER
            above = above.parent
    return meanings


def read_labels(
    tree: Tree,
    tags: Iterable[str],
    labelled: Sequence[Element],
    page_chars: int,
    with_alternatives: bool = False,
) -> list[str]:
    """Return the visible text of each of these elements, on one line, with that of images if you ask for it.

    Elements of these `tags` in which nothing joins or hides words are read in one call. A label is cut at
    `MAX_LABEL_CHARS` characters or `MAX_LABEL_NODES` nodes. Elements side by side have no more text than the page, but
    nested ones can repeat it many times: after twice the length of the page, the other labels are "".
    """
    complex_ones = {element for tag in tags for element in tree.select(f"{tag}:has(:not({_PLAIN_NAMES}))")}
    is_harmless = len(labelled) * page_chars < _HARMLESS_CHARS
    labels = [" ".join(each.text[:MAX_LABEL_CHARS].split()) for each in labelled if is_harmless]
    if is_harmless and not complex_ones:
        return labels
    labels += [""] * (len(labelled) - len(labels))
    left = 2 * page_chars
    for place, element in enumerate(labelled):
        if left < 0:
            break
        if element in complex_ones:
            text, nodes = _read_label(element, with_alternatives)
        elif is_harmless:
            continue
        else:
            text, nodes = element.text, 1
        left -= len(text) + nodes
        labels[place] = collapse_spaces(text[:MAX_LABEL_CHARS])
    return labels


def _read_label(root: Element, with_alternatives: bool) -> tuple[str, int]:
    """Return the text of an element, with a space at each edge of a block, and the number of visited nodes."""
    parts: list[str] = []
    outer: list[Element] = []
    node = next(root.descendants, None)
    nodes = 0
    while node is not None and nodes < MAX_LABEL_NODES:
        nodes += 1
        following = node.next_sibling
        if isinstance(node, Text):
            parts.append(node.data)
        elif isinstance(node, Element) and node.tag not in UNREAD_TAGS:
            if node.tag in _BORDER_TAGS:
                parts.append(" ")
            elif node.tag == "img" and with_alternatives:
                parts.append(f" {node.attr('alt') or ''} ")
            inner = next(node.descendants, None)
            if inner is not None:
                outer.append(node)
                following = inner
        while following is None and outer:
            left = outer.pop()
            if left.tag in _BORDER_TAGS:
                parts.append(" ")
            following = left.next_sibling
        node = following
    return "".join(parts), nodes
