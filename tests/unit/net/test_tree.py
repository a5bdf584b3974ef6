"""The numbers that stand for tags."""

from gossamer.net.tree import TEXT, parse, tag_id, tag_ids


def test_numbers_are_those_of_the_parser() -> None:
    root = parse(b"<p>text<!-- --><a>").root
    assert root is not None
    numbers = {node.tag: node.tag_id for node in root.traverse(include_text=True)}
    assert numbers["-text"] == TEXT
    assert numbers["p"] == tag_id("p")
    assert {numbers["a"], numbers["body"]} == tag_ids("a body")
