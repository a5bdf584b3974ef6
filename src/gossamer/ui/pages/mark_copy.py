"""Mark the words of a query in the tree of an archived copy.

The tree is changed, not the source: a page cannot use the marks to open or to end an element.
"""

from collections.abc import Callable, Iterator

from gossamer.net.html.parse_tree import Element, Node, Text, Tree, find_elements

FIRST_MARK = "gossamer-first-mark"
"""The id of the first marked word."""
# The page may have styled <mark> in its own way.
_STYLE = "background: #fff1a8 !important; color: #1b2421 !important"
_UNMARKED = frozenset(
    {
        *(
            "script",
            "style",
            "textarea",
            "title",
            "select",
            "option",
            "datalist",
            "iframe",
            "noscript",
            "template",
        ),
        *("svg", "math", "xmp", "plaintext", "noembed", "noframes", "object", "video", "audio", "head"),
    }
)
_MOST_MARKS = 2_000
_MOST_CHARACTERS = 2_000_000

Marks = list[tuple[int, int]]
FindMarks = Callable[[str, int], Marks]
"""Returns where the words to mark begin and end in a text, ascending and without overlaps, at most so many."""


def mark_words(tree: Tree, find_marks: FindMarks) -> int:
    """Mark words in the visible text of a page; return how many. Words that are split between elements are not found.

    Cost: O(characters), at most two million of them and 2,000 marks.
    """
    count, read = 0, 0
    for text in list(_list_texts(tree)):
        data = text.data
        read += len(data)
        if count >= _MOST_MARKS or read > _MOST_CHARACTERS:
            break
        marks = find_marks(data, _MOST_MARKS - count)
        if marks:
            text.replace_with(*_split_text(data, marks, is_first=count == 0))
            count += len(marks)
    return count


def _list_texts(tree: Tree) -> Iterator[Text]:
    """Yield the texts that a browser shows, in page order."""
    waiting: list[Node] = list(reversed(find_elements(tree, "body")))
    while waiting:
        node = waiting.pop()
        if isinstance(node, Text):
            if not node.data.isspace():
                yield node
        elif isinstance(node, Element) and node.tag not in _UNMARKED:
            waiting.extend(reversed(node.children))


def _split_text(data: str, marks: Marks, is_first: bool) -> Iterator[Node]:
    last = 0
    for start, end in marks:
        if start > last:
            yield Text(data[last:start])
        mark = Element("mark", {"style": _STYLE} | ({"id": FIRST_MARK} if is_first and not last else {}))
        mark.set_text(data[start:end])
        yield mark
        last = end
    if last < len(data):
        yield Text(data[last:])
