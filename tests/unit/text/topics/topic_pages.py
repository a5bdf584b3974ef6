"""Small pages about cooking and stars, for tests of topics."""

import random

from gossamer.text.topics import Example

_COOKING = "recipe oven butter flour sugar onion garlic soup sauce bake dough bread cheese cream"
_STARS = "star planet telescope galaxy orbit moon comet nebula eclipse universe gravity spectrum"
_GENERAL = "the of and to in is that it for was on are with as be this have from at by"
COOKING, STARS, GENERAL = (words.split() for words in (_COOKING, _STARS, _GENERAL))


def page(words: list[str], seed: int, host: str = "") -> Example:
    """Write a page in which every third word is one of these."""
    dice = random.Random(seed)
    text = [dice.choice(words if place % 3 == 0 else GENERAL) for place in range(60)]
    return Example(
        " ".join(text), title=f"{dice.choice(words)} {seed}", url=f"http://{host}/{seed}" if host else ""
    )


def pages(words: list[str], number: int, first: int = 0) -> list[Example]:
    """Write several pages."""
    return [page(words, first + seed) for seed in range(number)]
