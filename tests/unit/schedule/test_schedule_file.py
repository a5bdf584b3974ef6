"""A schedule is strict: what is wrong gets one sentence that says what is possible."""

import re
from pathlib import Path

import pytest
from tests.unit.schedule.schedules import make_entry, make_schedule

from gossamer.errors import BadInput

MAIL = '[mail]\nto = ["me@example.org"]\nfrom = "g@example.org"\nserver = "smtp.example.org"\n'


def test_an_entry_has_the_defaults_of_its_schedule(tmp_path: Path) -> None:
    head = 'time_zone = "Europe/Berlin"\nmissed = "skip"\nlongest = "2 hours"\nfeed = "news.atom"'
    own = 'time_zone = "America/New_York"\nmissed = "once"\nlongest = "1 hour"\ntell = []'
    made = make_schedule(tmp_path, make_entry(), make_entry("two", own), head=head)
    first, second = made.entries.values()
    assert (first.zone.key, first.missed, first.longest_s, first.tell) == (
        "Europe/Berlin",
        "skip",
        7200,
        ("feed",),
    )
    assert (second.zone.key, second.missed, second.longest_s, second.tell) == (
        "America/New_York",
        "once",
        3600,
        (),
    )
    assert made.webs["site"] == str(tmp_path / "site.web")


@pytest.mark.parametrize(
    ("entry", "sentence"),
    [
        (
            make_entry(web="sit"),
            "names the web 'sit', and there is none; did you mean 'site'?; [webs] names site, other",
        ),
        (
            make_entry(when="sometimes"),
            "the entry 'one': 'sometimes' is not a rule; understood are \"every 6 hours\"",
        ),
        (make_entry(when="on 30 February at 3"), "'on 30 February at 3' never comes; there is no such day"),
        (make_entry(when="when a sitemap changes"), "needs the address of the sitemap: sitemap = "),
        (make_entry(do="crawl"), "the entry 'one' needs 'task' to crawl"),
        (
            make_entry(do="crawl", more='task = "no.toml"'),
            "names the task file no.toml, which does not exist",
        ),
        (make_entry(do="search"), "the entry 'one' needs 'query' to search"),
        (make_entry(do="fly"), "do cannot be 'fly': it is one of crawl, resume, recrawl"),
        (make_entry(more="whem = 1"), "an entry has no key 'whem'; did you mean 'when'?"),
        (
            make_entry(more='time_zone = "Mars/Base"'),
            "there is no time zone 'Mars/Base'; write it as Europe/Berlin",
        ),
        (make_entry(more='time_zone = "../etc/passwd"'), "there is no time zone"),
        (make_entry(more='longest = "soon"'), "longest is a duration such as"),
        (make_entry(more='tell = ["mail"]'), "it tells by mail, and the schedule does not say how"),
        (
            make_entry(more='tell = ["pigeon"]'),
            "cannot be 'pigeon': it is one of mail, feed, webhook, command",
        ),
        (make_entry(name="two words"), "the name of an entry has up to 60 letters"),
        (make_entry(more="tries = 0"), "tries must be a whole number, at least 1"),
        (make_entry() * 2, "two entries are called 'one'"),
        ('[[entries]]\nname = "one"\n', "an entry needs the key 'web'"),
    ],
)
def test_a_wrong_entry_gets_a_sentence(entry: str, sentence: str, tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=re.escape(sentence)):
        make_schedule(tmp_path, entry)


@pytest.mark.parametrize(
    ("head", "sentence"),
    [
        ("serv = true", "the schedule has no key 'serv'; did you mean 'serve'?"),
        ("at_once = 0", "at_once must be a whole number, at least 1"),
        ('webhook = "example.org"', "is not an address to post to"),
        (
            'webhook = "http://127.0.0.1/x"',
            "leads to an address that is not public (127.0.0.1 is loopback); allow_private",
        ),
        ('webhook = "http://localhost/x"', "127.0.0.1 is loopback"),
        ('webhook = "http://10.1.2.3/x"', "10.1.2.3 is private"),
        ('allow_private = ["x"]', "is not a network or an address"),
        (f'{MAIL}user = "me"', "user needs password_file or password_variable"),
        (f'{MAIL}user = "me"\nsecurity = "none"', "a password is sent over TLS only"),
        (f"{MAIL}sever = 1", "[mail] has no key 'sever'; did you mean 'server'?"),
        (MAIL.replace("me@", "me "), "is not a mail address"),
        (MAIL.replace('server = "smtp.example.org"', ""), "[mail] needs the key 'server'"),
        ("= 1", "is not a schedule"),
    ],
)
def test_a_wrong_schedule_gets_a_sentence(head: str, sentence: str, tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=re.escape(sentence)):
        make_schedule(tmp_path, head=head)


def test_a_private_webhook_may_be_permitted(tmp_path: Path) -> None:
    head = 'webhook = "http://127.0.0.1/x"\nallow_private = ["127.0.0.1"]'
    assert make_schedule(tmp_path, head=head).entries["one"].tell == ("webhook",)


def test_an_example_that_we_ship_is_a_schedule() -> None:
    from gossamer.schedule.schedule_file import read_schedule

    shipped = Path(__file__).resolve().parents[3] / "deploy/schedule.toml"
    assert list(read_schedule(shipped, 0.0).entries) == ["weekly", "index"]
