"""Which language a page is said to be in, by its domain and its marks, before anybody has read it."""

from typing import NamedTuple

from gossamer.text.language.language_names import plain_code
from gossamer.text.language.training.country_languages import country_of


class Label(NamedTuple):
    """The language that a page is said to be in."""

    language: str
    is_sure: bool
    """Whether domain and marks agree, or somebody who read it said so: then recognisers are measured with it."""


def label_of(host: str, declared: str = "", mark: str = "") -> Label | None:
    """Say which language a page is said to be in; None if nothing tells.

    `declared` is what the page or its server says, `mark` what a classifier or a person said of it, who is believed.
    A country with one main language tells by itself; one with several, together with what the page declares. Pages
    often declare the English of the template they were made with: against its country a page is not believed, and
    English that nothing but the page tells serves for word lists, not for measuring.
    Source: seed 003, sections 4.2 and 4.3.
    """
    if said := plain_code(mark):
        return Label(said, True)
    country, declared = country_of(host), plain_code(declared)
    if declared and declared in (*country.main, *country.minor):
        return Label(declared, True)
    if len(country.main) == 1:
        return Label(country.main[0], not declared and not country.minor)
    if declared and not country.main:
        return Label(declared, declared != "en")
    return None
