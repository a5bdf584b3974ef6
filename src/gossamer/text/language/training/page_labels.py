"""The labelled language of a page, from its domain, its declaration and its marks."""

from typing import NamedTuple

from gossamer.text.language.language_names import parse_code
from gossamer.text.language.training.country_languages import find_country


class Label(NamedTuple):
    """The language that a page is labelled with."""

    language: str
    is_sure: bool
    """Whether domain and declaration agree, or a mark says so: such pages may be used for measuring."""


def label_page(host: str, declared: str = "", mark: str = "") -> Label | None:
    """Return the label of a page; None if there is no evidence.

    `declared` is the language that the page or its server declares; `mark` is the language that a classifier or a person
    gave it, which always holds. A country with one main language is enough; with several, the declaration decides among
    them. Pages often declare the English of their template, so a declaration against the country is ignored, and English
    that only the page declares is used for word lists, but not for measuring.
    Source: Stein 1997, sections 4.2 and 4.3.
    """
    if marked := parse_code(mark):
        return Label(marked, True)
    country, declared = find_country(host), parse_code(declared)
    if declared and declared in (*country.main, *country.minor):
        return Label(declared, True)
    if len(country.main) == 1:
        return Label(country.main[0], not declared and not country.minor)
    if declared and not country.main:
        return Label(declared, declared != "en")
    return None
