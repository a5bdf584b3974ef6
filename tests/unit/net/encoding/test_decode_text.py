"""Decoding: the development cases, special cases of the standard, and undeclared pages in many languages."""

import base64
import json
import time
from pathlib import Path
from typing import Any

import pytest

from gossamer.net.encoding import decode
from gossamer.net.encoding.encoding_labels import LABELS, NAMES, find_encoding
from gossamer.net.encoding.whatwg_codecs import decode_as, make_single_byte_table

UKRAINIAN = "Усі люди народжуються вільними і рівними у своїй гідності та правах, її захищає держава."


def page(text: bytes, head: bytes = b"") -> bytes:
    return (
        b"<!DOCTYPE html><html><head>"
        + head
        + b"<title>t</title></head><body><p>"
        + text
        + b"</p></body></html>"
    )


def cases(data: Path) -> list[dict[str, Any]]:
    lines = (data / "encoding" / "cases.jsonl").read_text("utf-8").splitlines()
    return [json.loads(line) for line in lines]


def test_all_development_cases(data: Path) -> None:
    wrong = []
    for case in cases(data):
        text, _ = decode(base64.b64decode(case["body_b64"]), case["content_type"])
        if case["expect_substring"] not in text:
            wrong.append(case["name"])
    assert wrong == []


@pytest.mark.parametrize(
    ("label", "name"),
    [
        ("ISO-8859-1", "windows-1252"),
        (" us-ascii\n", "windows-1252"),
        ("latin5", "windows-1254"),
        ("gb2312", "GBK"),
        ("KS_C_5601-1987", "EUC-KR"),
        ("tis-620", "windows-874"),
        ("logical", "ISO-8859-8-I"),
        ("utf-16", "UTF-16LE"),
        ("unicodeFFFE", "UTF-16BE"),
        ("hz-gb-2312", "replacement"),
        ("koi8-ru", "KOI8-U"),
        ("utf-7", None),
        ("ütf-8", None),
        ("", None),
    ],
)
def test_labels_follow_the_standard(label: str, name: str | None) -> None:
    assert find_encoding(label) == name


def test_every_label_decodes() -> None:
    assert len(LABELS) == 228
    for label, name in LABELS.items():
        assert decode(b"plain", f"text/html; charset={label}")[1] == name
    assert set(LABELS.values()) == NAMES


@pytest.mark.parametrize(
    ("name", "body", "text"),
    [
        ("windows-1252", b"\x80\x81\x8d\x9f\xff", "€\x81\x8dŸÿ"),
        ("windows-1253", b"\x88\xaa\xd2", "\x88\ufffd\ufffd"),
        ("windows-1255", b"\xca\xd9", "\u05ba\ufffd"),
        ("windows-874", b"\x80\x82\xdb", "€\x82\ufffd"),
        ("ISO-8859-6", b"\x80\xa1", "\x80\ufffd"),
        ("KOI8-U", b"\xae\xbe\xa4", "ўЎє"),
        ("x-mac-cyrillic", b"\xa2\xff", "Ґ€"),
        ("x-user-defined", b"a\x80\xff", "a\uf780\uf7ff"),
        ("replacement", b"anything", "\ufffd"),
        ("replacement", b"", ""),
        ("GBK", b"\x80\xd6\xd0", "€中"),
        ("gb18030", b"\x95\x32\x82\x36", "𠀀"),
        ("EUC-JP", b"\xad\xa1\xa1\xc1\x8e\xb1\x8f\xb0\xa1", "①～ｱ丂"),
        ("EUC-JP", b"\xa2\xaf<", "\ufffd<"),
        ("Shift_JIS", b"\x87\x40\x81\x60\xb1", "①～ｱ"),
        ("Shift_JIS", b"\x81<p>", "\ufffd<p>"),
        ("Big5", b"\xa1\x45\xa4\xa4\x88\x62\xff", "‧中\u00ca\u0304\ufffd"),
        ("EUC-KR", b"\x8c\x63\xb9\xe6\xff", "똠방\ufffd"),
        ("ISO-2022-JP", b'a\x1b$B-!$"\x1b(I1\x1b(J\\~\x1b(Bz', "a①あｱ¥‾z"),
        ("UTF-8", b"\xf0\x9f\x98\xc3\xa9\xed\xa0\x80", "\ufffdé\ufffd\ufffd\ufffd"),
        ("UTF-16LE", b"a\0\0\xd8b\0c", "a\ufffdb\ufffd"),
    ],
)
def test_bytes_are_decoded_by_the_standard(name: str, body: bytes, text: str) -> None:
    assert decode_as(body, name) == text


def test_single_byte_tables_keep_ascii() -> None:
    single = [name for name in NAMES if name.startswith(("windows", "ISO-8859", "KOI8", "IBM", "x-", "mac"))]
    assert len(single) == 29
    for name in single:
        assert make_single_byte_table(name)[:128] == bytes(range(128)).decode("ascii")
        assert len(make_single_byte_table(name)) == 256


@pytest.mark.parametrize(
    ("content_type", "name"),
    [
        ('text/html; charset="koi8-r"', "KOI8-R"),
        ("text/html; charset='koi8-r'", "KOI8-R"),
        ("text/html;charset = koi8-r", "KOI8-R"),
        ("text/html; CHARSET=\tKOI8-R ; x=y", "KOI8-R"),
        ("text/html charset=koi8-r", "KOI8-R"),
        ("charset=koi8-r", "KOI8-R"),
        ("text/html; charset=bogus; charset=koi8-r", "KOI8-R"),
        ("text/html; charset=koi8-r, text/html", "KOI8-R"),
        ("text/html; charset=utf-16be", "UTF-16BE"),
        ("text/html; charset=x-user-defined", "x-user-defined"),
        ("text/html; xcharset=koi8-r", "windows-1251"),
        ("text/html; charset=", "windows-1251"),
        ("text/html; charset=bogus", "windows-1251"),
        ("", "windows-1251"),
        (None, "windows-1251"),
    ],
)
def test_header_forms(content_type: str | None, name: str) -> None:
    assert decode(b"<meta charset=windows-1251>", content_type)[1] == name


def test_precedence_is_mark_header_page() -> None:
    body = b"<meta charset=windows-1251>\xe9"
    assert decode(b"\xef\xbb\xbf" + body, "text/html; charset=koi8-r") == (
        "<meta charset=windows-1251>\ufffd",
        "UTF-8",
    )
    assert decode("\ufeff<p>é".encode("utf-16-be"), "text/html; charset=koi8-r") == ("<p>é", "UTF-16BE")
    assert decode(body, "text/html; charset=koi8-r") == ("<meta charset=windows-1251>И", "KOI8-R")
    assert decode(body) == ("<meta charset=windows-1251>й", "windows-1251")


@pytest.mark.parametrize(
    ("head", "name"),
    [
        (b'<META HTTP-EQUIV = "Content-Type" CONTENT = "text/html; charset = koi8-r">', "KOI8-R"),
        (b"<meta content='text/html; charset=\"koi8-r\"' http-equiv=CONTENT-TYPE>", "KOI8-R"),
        (b'<meta http-equiv=content-type content="charset charset=koi8-r;x">', "KOI8-R"),
        (b"<meta/charset=koi8-r/>", None),  # the slash belongs to the unquoted value, as in browsers
        (b"<meta/charset='koi8-r'/>", "KOI8-R"),
        (b"<meta charset=utf-16>", "UTF-8"),
        (b"<meta charset=x-user-defined>", "windows-1252"),
        (b"<meta charset=bogus><meta charset=koi8-r>", "KOI8-R"),
        (b"<meta charset=bogus charset=koi8-r>", None),
        (b'<meta charset=koi8-r http-equiv=content-type content="text/html; charset=big5">', "KOI8-R"),
        (b"<meta name=x content='text/html; charset=koi8-r'>", None),
        (b"<!-- <meta charset=big5> --><meta charset=koi8-r>", "KOI8-R"),
        (b"<!--><meta charset=koi8-r>", "KOI8-R"),
        (b"<a title='<meta charset=big5>'><meta charset=koi8-r>", "KOI8-R"),
        (b"<!bogus <meta charset=big5>", None),
        (b"</p <meta charset=big5>", None),
        (b"<? <meta charset=big5>", None),
        (b"<metax charset=koi8-r>", None),
        (b"<meta charset", None),
        (b'<?xml version="1.0" encoding="koi8-r"?>', "KOI8-R"),
        (b"<?xml version='1.0' encoding = 'koi8-r' ?><meta charset=big5>", "Big5"),
        (b'<?xml version="1.0" encoding="utf-16"?>', "UTF-8"),
        (b"<?xml version='1.0'?>", None),
        (b" <?xml version='1.0' encoding='koi8-r'?>", None),
    ],
)
def test_declarations_are_found_as_in_the_prescan(head: bytes, name: str | None) -> None:
    assert decode(head + b"<p>plain")[1] == (name or "UTF-8")


@pytest.mark.parametrize(
    ("before", "counts"),
    [
        (b"<!-- " + b"x" * 3_000 + b" -->", True),
        (b"<script>" + b"x" * 3_000 + b"'<meta charset=big5>'</script>", True),
        (b"<!-- " + b"x" * 3_000 + b"<meta charset=big5> -->", True),
        (b"<!-- " + b"x" * 3_000, False),
        (b"<style>" + b"x" * 3_000, False),
    ],
)
def test_a_late_declaration_counts_where_a_parser_would_find_it(before: bytes, counts: bool) -> None:
    _, name = decode(before + b"<meta charset=ibm866><p>\xd0\xd2\xc9")
    assert (name == "IBM866") == counts


def test_valid_utf8_beats_a_late_declaration() -> None:
    body = b"<!-- " + b"x" * 3_000 + b" --><meta charset=koi8-r>" + UKRAINIAN.encode()
    assert decode(body)[1] == "UTF-8"


UNDECLARED = [
    (
        "windows-1252",
        "Die Straße führt über schöne Hügel, größer als früher; Äpfel und Öl gibt es dort auch.",
    ),
    ("windows-1252", "El niño comió piñas mañana; ¿dónde está el corazón del señor Muñoz? ¡Qué alegría!"),
    ("windows-1252", "A situação não é fácil: são questões de educação, saúde e habitação em três regiões."),
    (
        "windows-1252",
        "På sjön ligger båten stilla, och över ängarna går kvällen mot natt när fåglarna tystnar.",
    ),
    ("windows-1252", "Það er ekki þörf á að fara út í kvöld, því veðrið er slæmt og ég á bók til að lesa."),
    ("windows-1252", "Perché la città è così bella? Però più tardi andrò là, e ciò sarà già abbastanza."),
    ("windows-1250", "Příliš žluťoučký kůň úpěl ďábelské ódy, když šel přes řeku do vedlejší vesnice."),
    ("ISO-8859-2", "Příliš žluťoučký kůň úpěl ďábelské ódy, když šel přes řeku do vedlejší vesnice."),
    ("ISO-8859-2", "Zażółć gęślą jaźń, a potem wyślij życzenia świąteczne do całej rodziny w Łodzi."),
    ("windows-1250", "Árvíztűrő tükörfúrógép: a főnök szerint őszintén szólva sűrű köd borította az erdőt."),
    (
        "windows-1250",
        "Vláda schválila ďalšie opatrenia, ktoré môžu pomôcť ľuďom v najťažšej životnej situácii.",
    ),
    ("windows-1250", "Više od tisuću ljudi došlo je na svečanost; među njima i čuveni književnik s kćerkom."),
    (
        "windows-1250",
        "Şedinţa de astăzi a fost amânată până săptămâna viitoare, aşa că vă aşteptăm în faţa şcolii.",
    ),
    ("windows-1251", "Съешь же ещё этих мягких французских булок, да выпей чаю."),
    (
        "windows-1251",
        "Всички хора се раждат свободни и равни по достойнство и права; те са надарени с разум.",
    ),
    (
        "windows-1251",
        "Сва људска бића рађају се слободна и једнака у достојанству и правима; њихова је свест.",
    ),
    ("windows-1251", UKRAINIAN),
    ("KOI8-U", UKRAINIAN),
    ("KOI8-R", "В чащах юга жил бы цитрус? Да, но фальшивый экземпляр!"),
    ("ISO-8859-5", "Съешь же ещё этих мягких французских булок, да выпей чаю, потом иди спать домой."),
    ("IBM866", "Съешь же ещё этих мягких французских булок, да выпей чаю, потом иди спать домой."),
    ("windows-1253", "Όλοι οι άνθρωποι γεννιούνται ελεύθεροι και ίσοι στην αξιοπρέπεια. Άρα έχουν λογική."),
    ("ISO-8859-7", "Όλοι οι άνθρωποι γεννιούνται ελεύθεροι και ίσοι στην αξιοπρέπεια. Άρα έχουν λογική."),
    ("windows-1254", "Pijamalı hasta yağız şoföre çabucak güvendi; İstanbul'da ışıklar söndü, gece başladı."),
    ("windows-1255", "כל בני האדם נולדו בני חורין ושווים בערכם ובזכויותיהם, כולם חוננו בתבונה ובמצפון."),
    ("windows-1256", "يولد جميع الناس أحراراً متساوين في الكرامة والحقوق، وقد وهبوا عقلاً وضميراً."),
    ("ISO-8859-6", "يولد جميع الناس أحرارا متساوين في الكرامة والحقوق، وقد وهبوا عقلا وضميرا."),
    ("windows-1257", "Įlinkdama fechtuotojo špaga sublykčiojusi pragręžė apvalų arbūzą, žmonės džiaugėsi."),
    ("windows-1257", "Glāžšķūņa rūķīši dzērumā čiepj Baha koncertflīģeļu vākus, jo ziema bija ļoti gara."),
    (
        "windows-1258",
        "Tâ\u0301t ca\u0309 mo\u0323i ngươ\u0300i sinh ra đê\u0300u đươ\u0323c tư\u0323 do va\u0300 bi\u0300nh đă\u0309ng.",
    ),
    ("windows-874", "มนุษย์ทั้งหลายเกิดมามีอิสระและเสมอภาคกันในเกียรติศักดิ์และสิทธิ"),
    ("Shift_JIS", "すべての人間は、生れながらにして自由であり、かつ、尊厳と権利とについて平等である。"),
    ("EUC-JP", "すべての人間は、生れながらにして自由であり、かつ、尊厳と権利とについて平等である。"),
    ("ISO-2022-JP", "すべての人間は、生れながらにして自由であり、かつ、尊厳と権利とについて平等である。"),
    ("GBK", "人人生而自由，在尊严和权利上一律平等。他们赋有理性和良心，并应以兄弟关系的精神相对待。"),
    ("Big5", "人人生而自由，在尊嚴和權利上一律平等。他們賦有理性和良心，並應以兄弟關係的精神相對待。"),
    (
        "EUC-KR",
        "모든 인간은 태어날 때부터 자유로우며 그 존엄과 권리에 있어 동등하다. 이성과 양심을 부여받았다.",
    ),
    ("UTF-16LE", "人人生而自由，在尊严和权利上一律平等。"),
    ("UTF-16BE", "Съешь же ещё этих мягких французских булок"),
]
PYTHON_CODECS = {
    "windows-874": "cp874",
    "IBM866": "cp866",
    "Shift_JIS": "cp932",
    "GBK": "gb18030",
    "EUC-KR": "cp949",
    "UTF-16LE": "utf-16-le",
    "UTF-16BE": "utf-16-be",
}


@pytest.mark.parametrize(("name", "text"), UNDECLARED, ids=[f"{n}-{t[:9]}" for n, t in UNDECLARED])
@pytest.mark.parametrize("times", [1, 40])
def test_undeclared_pages_are_guessed(name: str, text: str, times: int) -> None:
    codec = PYTHON_CODECS.get(name, name)
    markup = "<!DOCTYPE html><html><head><title>t</title></head><body><p>{}</p></body></html>"
    body = markup.format("</p><p>".join([text] * times)).encode(codec)
    assert text in decode(body)[0]


def test_the_declared_language_decides_between_similar_encodings() -> None:
    text = "več"
    assert decode(page(text.encode("cp1250")).replace(b"<html>", b'<html lang="sl">'))[0].count(text) == 1
    assert decode(page("vèç".encode("cp1252")).replace(b"<html>", b"<html lang=fr>"))[0].count("vèç") == 1


def test_utf8_survives_a_few_wrong_bytes_and_a_cut() -> None:
    good = UKRAINIAN.encode()
    assert decode(page(good + b"\xff" + good))[1] == "UTF-8"
    assert decode(page(good)[:-16])[1] == "UTF-8"
    assert decode(b"<p>" + good[:-1])[1] == "UTF-8"


def test_nothing_outside_ascii_is_utf8() -> None:
    assert decode(b"") == ("", "UTF-8")
    assert decode(b"plain") == ("plain", "UTF-8")
    assert decode(b"one \0 NUL in a longer text") == ("one \0 NUL in a longer text", "UTF-8")
    assert decode(b"an \x1b[31mescape") == ("an \x1b[31mescape", "UTF-8")


def test_text_far_down_is_still_guessed() -> None:
    body = page(b"<i></i>" * 50_000 + UNDECLARED[13][1].encode("cp1251"))
    assert decode(body)[1] == "windows-1251"


@pytest.mark.parametrize(
    "body",
    [
        b"<" * 500_000,
        b"<a " + b"a=" * 250_000,
        b"<a " + b"x=\"'" * 100_000,
        b"<meta charset" * 40_000,
        b"<meta " * 100_000 + b"\xe9",
        b"<meta charset=x>\xe9" * 30_000,
        b"<!--" * 100_000 + b"\xe9",
        b"\xe9charset<script>" * 30_000,
        b"<?xml " + b"encoding " * 50_000,
        bytes(range(128, 256)) * 2_000,
        b"\x1b$B" * 100_000,
        b"\0" * 500_000,
    ],
    ids=lambda body: repr(body[:12]),
)
def test_hostile_pages_do_not_hang(body: bytes) -> None:
    began_s = time.process_time()
    decode(body)
    assert time.process_time() - began_s < 20  # tenths of a second, unless something hangs


def test_valid_utf8_is_not_guessed_and_a_header_spares_the_search(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_body: bytes) -> str:
        raise AssertionError("not needed for this page")

    text = "Grüße aus der Straße. " * 2_000
    monkeypatch.setattr("gossamer.net.encoding.decode_text.guess_encoding", fail)
    monkeypatch.setattr("gossamer.net.encoding.decode_text.find_late_encoding", fail)
    assert decode(text.encode()) == (text, "UTF-8")
    monkeypatch.setattr("gossamer.net.encoding.decode_text.find_declared_encoding", fail)
    assert decode(text.encode(), "text/html; charset=utf-8") == (text, "UTF-8")


def test_a_cached_beginning_is_not_confused_with_a_longer_one() -> None:
    for end in (b">", b" >", b"/>"):
        assert decode(b"<!DOCTYPE html><meta charset=utf-8" + end)[1] == "UTF-8"
        assert decode(b'<!DOCTYPE html><meta charset="koi8-r"' + end)[1] == "KOI8-R"
        assert decode(b"<!DOCTYPE html><meta charset=utf-8e" + end + b"\xe4")[1] != "UTF-8"
        assert decode(b"<!DOCTYPE html><!--<meta charset=koi8-r" + end + b"-->")[1] == "UTF-8"
