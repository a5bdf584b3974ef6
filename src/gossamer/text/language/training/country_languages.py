"""The languages of pages in each country's domain: main languages and, after a plus, minor ones.

Stein 1997, section 4.3: most people write in English or in the language of their country, and most countries have a
domain. Domains that are sold as words (tv, me, io, co, ai, to …) indicate no language and are left out.
"""

from typing import NamedTuple

_COUNTRIES = """
ad ca · ae ar · af fa ps · al sq · am hy · ar es · at de · au en · az az · ba bs hr sr · bd bn · be nl fr de · bg bg
bh ar · bo es + qu · br pt · by ru be · ca en fr · cat ca · ch de fr it rm · cl es · cn zh · cr es · cu es · cy el + tr
cymru cy en · cz cs · de de · dk da · do es · dz ar fr · ec es · ee et · eg ar · es es + ca gl eu · et am
eus eu · fi fi + sv · fo fo + da · fr fr · frl fy nl · gal gl es · ge ka · gl kl + da · gr el · gt es · hk zh en · hn es
hr hr · ht ht + fr · hu hu · id id · ie en + ga · il he · in en hi bn ta te mr gu kn ml pa · iq ar ku · ir fa · is is · it it
jo ar · jp ja · ke en sw · kg ky ru · kh km · kr ko · kw ar · kz ru kk · lb ar · li de · lk si ta en · lt lt · lu lb fr de
lv lv + ru · ma ar fr · md ro + ru · mk mk + sq · mn mn · mo zh pt · mt mt en · mx es · my ms en · ng en yo ha ig · ni es
nl nl + fy · no nb + nn · np ne · nz en + mi · om ar · pa es · pe es · ph tl en · pk ur en · pl pl · ps ar · pt pt · py es + gn
qa ar · quebec fr · ro ro · rs sr · ru ru · sa ar · scot en + gd · se sv · si sl · sk sk · su ru · sv es · sy ar · th th
tj tg + ru · tm tk + ru · tn ar fr · tr tr · tw zh · tz sw en · ua uk ru · uk en + cy gd · us en · uy es · uz uz + ru · va it + la
ve es · vn vi · ye ar · za en af zu xh st
"""


class Country(NamedTuple):
    """The languages of a country."""

    main: tuple[str, ...]
    minor: tuple[str, ...] = ()


COUNTRIES: dict[str, Country] = {
    domain: Country(*(tuple(codes.split()) for codes in languages.split("+")))
    for domain, languages in (
        one.split(" ", 1) for line in _COUNTRIES.strip().splitlines() for one in line.split(" · ")
    )
}
# American domains that belong to no country (section 4.3).
COUNTRIES |= dict.fromkeys(("edu", "gov", "mil"), Country(("en",)))
NOWHERE = Country(())


def find_country(host: str) -> Country:
    """Return the country of a host's domain; NOWHERE for IP addresses and generic domains."""
    name = host.partition(":")[0].rstrip(".").lower()
    return COUNTRIES.get(name.rpartition(".")[2], NOWHERE)
