def weigh_fragments(
    parents: list[int],
    tags: list[str],
    hints: list[int],
    places: list[int],
    texts: list[str],
    link_chars: list[int],
) -> list[bool]: ...
