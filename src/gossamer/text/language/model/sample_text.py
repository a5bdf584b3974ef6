"""A sample of a long text: stretches spread evenly over it."""


def sample_text(text: str, stretches: int, characters: int) -> str:
    """Return stretches of a text, cut at spaces where there are any; return a short text unchanged."""
    if len(text) <= stretches * characters:
        return text
    gap = (len(text) - characters) // (stretches - 1)
    return "\n".join([_trim_to_words(text[at * gap : at * gap + characters]) for at in range(stretches)])


def _trim_to_words(stretch: str) -> str:
    first, last = stretch.find(" "), stretch.rfind(" ")
    return stretch[first + 1 : last] if first < last else stretch
