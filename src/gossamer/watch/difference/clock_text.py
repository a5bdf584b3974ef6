"""Recognise text that follows the clock or counts visitors: "3 minutes ago", today's date, the time, "1,204 visitors".

Such text says nothing about the page, so two versions of a paragraph that differ in nothing else are the same. A date counts
only if each version shows the day on which it was fetched: the date of an event is content.
"""

import re
from datetime import UTC, date, datetime, timedelta

_MONTHS = {
    name: number
    for number, names in enumerate(
        (
            "january jan januar jänner janvier enero ene gennaio",
            "february feb februar février févr febrero febbraio",
            "march mar märz mrz mars marzo",
            "april apr avril abril abr aprile",
            "may mai mayo maggio",
            "june jun juni juin junio giugno",
            "july jul juli juillet julio luglio",
            "august aug août agosto ago",
            "september sept sep septembre septiembre settembre",
            "october oct oktober okt octobre octubre ottobre",
            "november nov novembre noviembre",
            "december dec dezember dez décembre diciembre dic dicembre",
        ),
        1,
    )
    for name in names.split()
}
_MONTH = "|".join(sorted(_MONTHS, key=len, reverse=True))
_WEEKDAY = (
    "monday|tuesday|wednesday|thursday|friday|saturday|sunday|mon|tue|wed|thu|fri|sat|sun|"
    "montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonnabend|sonntag|"
    "lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|"
    "lunes|martes|miércoles|jueves|viernes|sábado|domingo"
)
_UNIT = (
    r"(?:s|sec|second|m|min|minute|h|hr|hour|d|day|week|month|mo|year|yr)s?|"
    r"sekunden?|minuten?|stunden?|tag(?:en)?|wochen?|monat(?:en)?|jahr(?:en)?|"
    r"secondes?|heures?|jours?|semaines?|mois|ans?|"
    r"segundos?|minutos?|horas?|días?|semanas?|mes(?:es)?|años?"
)
_NUMBER = r"(?:\d[\d.,]{0,9}|an?|one|two|three|einer?|einem|une?|una?)"
_AGE = (
    rf"(?:about |over |almost )?{_NUMBER} ?(?:{_UNIT}) ago|just now|moments ago|yesterday|gestern|hier|ayer|"
    rf"(?:vor|hace|il y a) {_NUMBER} (?:{_UNIT})"
)
_COUNTED = (
    "visitors?|visits?|views?|hits|readers|page ?views|likes|shares|online|"
    "besucher|aufrufe|zugriffe|visiteurs?|visites?|vues|visitantes?|visitas?"
)
_COUNTER = (
    rf"\d[\d.,]{{0,15}} (?:{_COUNTED})|(?:{_COUNTED})(?: (?:number|no\.?|nr\.?|today|total|so far)){{0,2}} ?[:#]? ?"
    r"\d[\d.,]{0,15}"
)
_TIME = r"\d{1,2}:\d{2}(?::\d{2})?(?: ?[ap]\.?m\.?)?(?: (?:uhr|utc|gmt|cet|cest))?"
_DATE = (
    rf"(?:(?:{_WEEKDAY}),? )?(?:(?P<y1>\d{{4}})-(?P<m1>\d{{2}})-(?P<d1>\d{{2}})|"
    r"(?P<d2>\d{1,2})[./](?P<m2>\d{1,2})[./](?P<y2>\d{4})|"
    rf"(?P<d3>\d{{1,2}})(?:\.|st|nd|rd|th)?(?: de)? (?P<m3>{_MONTH})\.?(?:,?(?: de)? (?P<y3>\d{{4}}))?|"
    rf"(?P<m4>{_MONTH})\.? (?P<d4>\d{{1,2}})(?:st|nd|rd|th)?(?:,? (?P<y4>\d{{4}}))?)"
)
_CLOCK = re.compile(
    rf"(?<!\w)(?:(?P<age>{_AGE})|(?P<counter>{_COUNTER})|(?P<date>{_DATE})|(?P<time>{_TIME}))(?!\w)",
    re.IGNORECASE,
)
_DIGITS = re.compile(r"[\d.,]+")
_NEAR_DAYS = 1
"""Servers are in other time zones, and a page may have been written yesterday evening."""
_DAY_MINUTES = 1440
_ZONE_MINUTES = 15
"""Time zones differ by multiples of this."""
_SLACK_MINUTES = 3
_MOST_CHARS = 4_000


def differ_only_by_clock(old: str, old_s: float, new: str, new_s: float) -> bool:
    """Say whether two versions of a paragraph, and when each was fetched, differ only in ages, counters, date or time."""
    if max(len(old), len(new)) > _MOST_CHARS:
        return False
    found, found_new = list(_CLOCK.finditer(old)), list(_CLOCK.finditer(new))
    if not found or len(found) != len(found_new) or _get_rest(old, found) != _get_rest(new, found_new):
        return False
    return all(_is_same_moment(one, old_s, other, new_s) for one, other in zip(found, found_new, strict=True))


def _get_rest(text: str, found: list[re.Match[str]]) -> list[str]:
    """Return what stands between the matches."""
    ends = [0, *(match.end() for match in found)]
    starts = [*(match.start() for match in found), len(text)]
    return [text[end:start] for end, start in zip(ends, starts, strict=True)]


def _is_same_moment(old: re.Match[str], old_s: float, new: re.Match[str], new_s: float) -> bool:
    if old[0] == new[0]:
        return True
    if old.lastgroup != new.lastgroup:
        return False
    match old.lastgroup:
        case "age":
            return True
        case "counter":
            return _DIGITS.sub("", old[0]).rstrip("s") == _DIGITS.sub("", new[0]).rstrip("s")
        case "date":
            return _is_near(old, old_s) and _is_near(new, new_s)
        case _:
            return _is_now(old[0], old_s, new[0], new_s)


def _is_near(match: re.Match[str], fetched_s: float) -> bool:
    """Say whether a date is the day on which the page was fetched, or one beside it."""
    fetched = datetime.fromtimestamp(fetched_s, UTC).date()
    number = next(number for number in "1234" if match[f"d{number}"])
    day, month = match[f"d{number}"], match[f"m{number}"]
    year = int(match[f"y{number}"] or fetched.year)
    readings = [(int(day), _MONTHS[month.lower()] if not month.isdigit() else int(month))]
    if number == "2":
        readings.append((int(month), int(day)))  # 3/17/2026
    return any(_is_beside(year, month, day, fetched) for day, month in readings)


def _is_beside(year: int, month: int, day: int, fetched: date) -> bool:
    try:
        return abs(date(year, month, day) - fetched) <= timedelta(days=_NEAR_DAYS)
    except ValueError:
        return False


def _is_now(old: str, old_s: float, new: str, new_s: float) -> bool:
    """Say whether two times of day are those of the two fetches, in one time zone."""
    zone, zone_new = _find_zone(old, old_s), _find_zone(new, new_s)
    apart = abs(zone - zone_new) % _DAY_MINUTES
    beside = (zone + _SLACK_MINUTES) % _ZONE_MINUTES
    return min(apart, _DAY_MINUTES - apart) <= _SLACK_MINUTES and beside <= 2 * _SLACK_MINUTES


def _find_zone(text: str, fetched_s: float) -> int:
    """Return by how many minutes a time of day is ahead of the fetch, 0 to 1439."""
    hours, minutes = re.findall(r"\d+", text)[:2]
    late = 12 if "p" in text.lower() and int(hours) < 12 else 0
    said = (int(hours) + late) * 60 + int(minutes)
    return (said - int(fetched_s // 60)) % _DAY_MINUTES
