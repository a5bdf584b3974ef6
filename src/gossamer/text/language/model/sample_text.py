"""Stretches from all over a long text."""


def sample_of(text: str, stretches: int, characters: int) -> str:
    """Return stretches of so many characters, of whole words where a text has spaces; a short text as it is."""
    if len(text) <= stretches * characters:
        return text
    gap = (len(text) - characters) // (stretches - 1)
    return "\n".join([_whole_words(text[at * gap : at * gap + characters]) for at in range(stretches)])


def _whole_words(stretch: str) -> str:
    first, last = stretch.find(" "), stretch.rfind(" ")
    return stretch[first + 1 : last] if first < last else stretch
