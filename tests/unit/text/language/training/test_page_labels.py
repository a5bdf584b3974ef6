"""Pages are labelled with a language by domain, declaration and marks."""

import pytest

from gossamer.lab.writing.phrases import LANGUAGES
from gossamer.text.language.language_names import LANGUAGE_NAMES, name_language, parse_code
from gossamer.text.language.model.model import Model
from gossamer.text.language.training.country_languages import COUNTRIES, find_country
from gossamer.text.language.training.page_labels import label_page


@pytest.mark.parametrize(
    ("host", "declared", "mark", "label"),
    [
        ("www.uni-trier.de", "", "", ("de", True)),
        ("www.uni-trier.de:8080", "de-DE", "", ("de", True)),
        ("WWW.UNI-TRIER.DE.", "en", "", ("de", False)),
        ("www.admin.ch", "fr-CH", "", ("fr", True)),
        ("www.admin.ch", "", "", None),
        ("www.admin.ch", "en", "", None),
        ("www.regjeringen.no", "no", "", ("nb", True)),
        ("www.regjeringen.no", "nn-NO", "", ("nn", True)),
        ("www.regjeringen.no", "", "", ("nb", False)),
        ("www.regjeringen.no", "en", "", ("nb", False)),
        ("example.com", "iw", "", ("he", True)),
        ("example.com", "en", "", ("en", False)),
        ("example.com", "xx", "", None),
        ("example.com", "", "", None),
        ("127.0.0.1:8000", "da", "", ("da", True)),
        ("www.uni-trier.de", "de", "fr", ("fr", True)),
        ("mit.edu", "", "", ("en", True)),
    ],
)
def test_a_page_is_labelled(host: str, declared: str, mark: str, label: tuple[str, bool] | None) -> None:
    assert label_page(host, declared, mark) == label


def test_every_language_of_a_country_has_a_name() -> None:
    assert {code for one in COUNTRIES.values() for code in (*one.main, *one.minor)} <= set(LANGUAGE_NAMES)
    assert set(LANGUAGES) <= {one.main[0] for one in COUNTRIES.values()}
    assert all(0 < len(domain) < 8 and domain.isalpha() for domain in COUNTRIES)
    assert find_country("www.eitb.eus") == (("eu",), ())


def test_every_language_of_the_model_has_a_name() -> None:
    assert set(Model.load().languages) <= set(LANGUAGE_NAMES)
    assert (name_language("nb"), name_language("sl")) == ("Norwegian Bokmål", "Slovenian")


def test_languages_have_names_and_codes_are_parsed() -> None:
    assert (name_language("nb"), name_language("qqq"), name_language(None)) == (
        "Norwegian Bokmål",
        "qqq",
        "unknown",
    )
    assert all(code == code.lower().strip() and 2 <= len(code) <= 3 for code in LANGUAGE_NAMES)
    assert [parse_code(declared) for declared in ("EN_us", "de-AT, en;q=0.5", "zh-Hant-TW", "", "english")] == [
        "en", "de", "zh", "", ""
    ]  # fmt: skip
