"""English names of languages by BCP 47 code, and codes in their usual form. Source: ISO 639."""

_NAMES = """
af Afrikaans · am Amharic · ar Arabic · as Assamese · az Azerbaijani · ba Bashkir · be Belarusian · bg Bulgarian
bn Bengali · bo Tibetan · br Breton · bs Bosnian · ca Catalan · ceb Cebuano · co Corsican · cs Czech · cv Chuvash
cy Welsh · da Danish · de German · dv Dhivehi · el Greek · en English · eo Esperanto · es Spanish · et Estonian
eu Basque · fa Persian · fi Finnish · fj Fijian · fo Faroese · fr French · fur Friulian · fy Frisian · ga Irish
gd Scottish Gaelic · gl Galician · gn Guarani · gu Gujarati · gv Manx · ha Hausa · haw Hawaiian · he Hebrew · hi Hindi
hr Croatian · hsb Upper Sorbian · ht Haitian · hu Hungarian · hy Armenian · ia Interlingua · id Indonesian · ig Igbo
io Ido · is Icelandic · it Italian · ja Japanese · jv Javanese · ka Georgian · kk Kazakh · kl Greenlandic · km Khmer
kn Kannada · ko Korean · ku Kurdish · kw Cornish · ky Kyrgyz · la Latin · lb Luxembourgish · lg Ganda · lo Lao
lt Lithuanian · lv Latvian · mg Malagasy · mi Maori · mk Macedonian · ml Malayalam · mn Mongolian · mr Marathi
ms Malay · mt Maltese · my Burmese · nb Norwegian Bokmål · nds Low German · ne Nepali · nl Dutch
nn Norwegian Nynorsk · no Norwegian · oc Occitan · or Odia · os Ossetian · pa Punjabi · pl Polish · ps Pashto
pt Portuguese · qu Quechua · rm Romansh · ro Romanian · ru Russian · rw Kinyarwanda · sa Sanskrit · sc Sardinian
sd Sindhi · se Northern Sami · si Sinhala · sk Slovak · sl Slovenian · sm Samoan · sn Shona · so Somali · sq Albanian
sr Serbian · st Sotho · su Sundanese · sv Swedish · sw Swahili · ta Tamil · te Telugu · tg Tajik · th Thai · ti Tigrinya
tk Turkmen · tl Tagalog · tn Tswana · to Tongan · tr Turkish · ts Tsonga · tt Tatar · ug Uyghur · uk Ukrainian · ur Urdu
uz Uzbek · vi Vietnamese · vo Volapük · wa Walloon · wo Wolof · xh Xhosa · yi Yiddish · yo Yoruba · zh Chinese · zu Zulu
"""
LANGUAGE_NAMES = dict(
    one.strip().split(" ", 1) for line in _NAMES.strip().splitlines() for one in line.split(" · ")
)

# Other codes of the same language: withdrawn ones, and Norwegian, which is nearly always Bokmål.
_SYNONYMS = {"no": "nb", "iw": "he", "in": "id", "ji": "yi", "mo": "ro", "fil": "tl", "jw": "jv", "prs": "fa"}


def name_language(code: str | None) -> str:
    """Return the English name of a language: its code if the name is missing here, "unknown" for None."""
    return LANGUAGE_NAMES.get(code, code) if code else "unknown"


def parse_code(declared: str) -> str:
    """Return the language code in a declaration such as de-AT, EN_us or iw; "" if there is none."""
    first = declared.replace("_", "-").split(",")[0].split(";")[0].strip().split("-")[0].lower()
    code = _SYNONYMS.get(first, first)
    return code if code in LANGUAGE_NAMES else ""
