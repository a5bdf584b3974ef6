"""Frequency lists and keywords agree with plain counts and with the statistics of scipy."""

import random
import signal
import subprocess
import sys
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import chi2, chi2_contingency
from tests.unit.context.words.twin import PlainPage, count_words, open_pages, write_pages

from gossamer.context.words import keyness
from gossamer.context.words.frequency_list import (
    ListOptions,
    make_frequency_list,
    make_keyword_list,
)
from gossamer.context.words.selection import Selection
from gossamer.context.words.tokens import refresh_tokens, token_store
from gossamer.context.words.tokens.segment import SUFFIX
from gossamer.context.words.tokens.token_store import TokenStore
from gossamer.errors import BadInput

REPOSITORY = Path(__file__).parents[4]
_ENGLISH = "the a sea ship sailed slowly Captain's wind-blown mast It was and of stormy nights 1912 3,000 (old) water"
_GERMAN = "das Schiff fuhr langsam über die stürmische See und der Kapitän sah Häuser am Ufer 1912"
ENGLISH, GERMAN = _ENGLISH.split(), _GERMAN.split()
ALL = ListOptions(least=1, number=10_000)


def make_pages(seed: int, number: int) -> list[PlainPage]:
    some = random.Random(seed)
    boilerplate = ("en", "All rights reserved by the owners of this page, 2024.")
    pages = []
    for at in range(number):
        language, words = some.choice([("en", ENGLISH), ("de", GERMAN)])
        own = [
            (language, " ".join(some.choices(words, k=some.randint(3, 9))) + ".")
            for _ in range(some.randint(0, 6))
        ]
        pages.append(
            PlainPage(
                some.randint(-(2**62), 2**62),
                f"{some.choice('abc')}.example",
                at * 86_400.0,
                (*own, boilerplate),
            )
        )
    return pages


def to_counter(rows: object) -> Counter[tuple[str, str]]:
    return Counter({(row.language, row.word): row.count for row in rows})  # type: ignore[attr-defined]


@pytest.mark.parametrize("seed", range(4))
def test_counts_are_those_of_a_plain_count(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    monkeypatch.setattr(refresh_tokens, "MOST_TOKENS", 200)  # several segments
    monkeypatch.setattr(
        token_store, "_DIGESTS_AT_ONCE", 50
    )  # whose equal sentences are found in several parts
    pages = make_pages(seed, 60)
    store = open_pages(tmp_path / "words", pages)
    assert len(store.segments) > 3
    expected, _ = count_words(pages)
    found = make_frequency_list(store, Selection(), ALL)
    assert to_counter(found.rows) == expected
    assert found.words == expected.total()
    by_site, rest = count_words(pages, lambda page: page.host == "a.example")
    keywords = make_keyword_list(store, Selection(site="a.example"), ListOptions(least=1, number=10_000))
    assert (keywords.words, keywords.words_elsewhere) == (by_site.total(), rest.total())
    for row in (*keywords.rows, *keywords.less):
        key = row.language, row.word
        assert (row.count, row.count_elsewhere) == (by_site[key], rest[key])


def test_time_language_and_listed_pages_select(tmp_path: Path) -> None:
    pages = make_pages(9, 80)
    store = open_pages(tmp_path / "words", pages)
    some = {page.id for page in pages[10:30]}
    cases = [
        (
            Selection(since_s=20 * 86_400.0, until_s=40 * 86_400.0),
            lambda page: 20 <= page.date_s / 86_400 < 40,
        ),
        (Selection(pages=sorted(some)), lambda page: page.id in some),
        (Selection(site="example", pages=sorted(some)), lambda page: page.id in some),
    ]
    for selection, is_selected in cases:
        here, rest = count_words(pages, is_selected)
        found = make_keyword_list(store, selection, ListOptions(least=1))
        assert (found.words, found.words_elsewhere) == (here.total(), rest.total())
    german = make_frequency_list(store, Selection(languages=frozenset({"de"})), ALL)
    expected, _ = count_words(pages)
    assert to_counter(german.rows) == Counter(
        {key: count for key, count in expected.items() if key[0] == "de"}
    )


def test_pages_and_dispersion_of_a_word(tmp_path: Path) -> None:
    pages = make_pages(5, 50)
    store = open_pages(tmp_path / "words", pages)
    # Sentences that repeat an earlier one would make the plain figures differ: take pages without them.
    rows = {(row.language, row.word): row for row in make_frequency_list(store, Selection(), ALL).rows}
    seen: set[tuple[str, str]] = set()
    words_of: list[Counter[tuple[str, str]]] = []
    for page in pages:
        first = [one for one in dict.fromkeys(page.sentences) if one not in seen]
        seen.update(first)
        words_of.append(Counter(count_words([PlainPage(1, "", 0, tuple(first))])[0]))
    total = sum(one.total() for one in words_of)
    for key, row in rows.items():
        times = sum(one[key] for one in words_of)
        assert row.pages == sum(key in one for one in words_of)
        deviation = sum(abs(one[key] / times - one.total() / total) for one in words_of) / 2
        assert row.dispersion == pytest.approx(deviation, abs=1e-9)


def test_lemmas_count_their_forms_together(tmp_path: Path) -> None:
    pages = [
        PlainPage(
            1, "a.example", 0, (("en", "She goes home and they went away."), ("de", "Die Häuser sind alt."))
        ),
        PlainPage(2, "b.example", 0, (("en", "We are going to go, he said."), ("xx", "Goes wen ti ukno."))),
    ]
    store = open_pages(tmp_path / "words", pages)
    rows = {
        (row.language, row.word): row
        for row in make_frequency_list(store, Selection(), ListOptions("lemmas", 1, 100)).rows
    }
    go = rows["en", "go"]
    assert (go.count, go.pages) == (4, 2)
    assert dict(go.forms) == {"goes": 1, "went": 1, "going": 1, "go": 1}
    assert rows["de", "Haus"].forms == (("häuser", 1),)
    assert rows["xx", "goes"].count == 1, "a language without a dictionary has forms instead"


def test_log_likelihood_is_that_of_scipy() -> None:
    some = np.random.default_rng(3)
    first, second = some.integers(0, 50, 40), some.integers(0, 300, 40)
    words = 4_000, 90_000
    found = keyness.log_likelihood(first, second, *words)
    for here, there, score in zip(first.tolist(), second.tolist(), found.tolist(), strict=True):
        if here + there:
            table = [[here, there], [words[0] - here, words[1] - there]]
            expected = chi2_contingency(table, correction=False, lambda_="log-likelihood").statistic
            assert abs(score) == pytest.approx(expected, rel=1e-9, abs=1e-9)
            assert keyness.compute_p(score) == pytest.approx(chi2.sf(expected, 1), rel=1e-6)
            assert (score >= 0) == (here / words[0] >= there / words[1])


def test_effect_sizes() -> None:
    counts = np.array([8, 0, 10]), np.array([1, 4, 10])
    assert keyness.log_ratio(*counts, 1_000, 1_000).tolist() == [3.0, -3.0, 0.0]
    assert keyness.simple_maths(*counts, 1_000_000, 1_000_000).tolist() == pytest.approx(
        [108 / 101, 100 / 104, 1.0]
    )
    assert keyness.bayes_factor(20.0, 1_000) == pytest.approx(20 - np.log(1_000))


@pytest.mark.parametrize("measure", ["log-ratio", "simple-maths"])
def test_other_measures_rank_what_is_sure_by_size(tmp_path: Path, measure: str) -> None:
    knots = [f"{first}{second}" for first in "abcdefgh" for second in "klmnopqrst"]
    often = tuple(("en", f"harbour rope {knot} of the sea.") for knot in knots)
    other = tuple(("en", f"the sea of the {knot} and rope and the {knot}.") for knot in knots)
    store = open_pages(
        tmp_path / "words", [PlainPage(1, "a.example", 0, often), PlainPage(2, "b.example", 0, other)]
    )
    found = make_keyword_list(store, Selection(site="a.example"), ListOptions(measure=measure))  # type: ignore[arg-type]
    assert (found.rows[0].word, found.less[0].word) == ("harbour", "and")
    assert all(abs(row.score) >= 15.13 for row in (*found.rows, *found.less))


def test_another_web_can_be_what_a_list_is_compared_with(tmp_path: Path) -> None:
    ours = open_pages(
        tmp_path / "ours", [PlainPage(1, "a.example", 0, (("en", "ships and ships and ships sail"),))]
    )
    theirs = open_pages(
        tmp_path / "theirs", [PlainPage(1, "b.example", 0, (("en", "birds and birds and birds fly"),))]
    )
    found = make_keyword_list(ours, Selection(), ListOptions(least=1), theirs)
    assert found.rows[0].word == "ships"
    assert (found.less[0].word, found.less[0].count, found.less[0].count_elsewhere) == ("birds", 0, 3)


@pytest.mark.parametrize(
    ("selection", "why"),
    [
        (Selection(site="nowhere.example"), "no page with running text is in this selection"),
        (Selection(languages=frozenset({"fi"})), "no sentence of this web is in fi; it has de, en"),
        (Selection(site="example"), "nothing is left to compare it with"),
    ],
)
def test_what_cannot_be_counted_is_said(tmp_path: Path, selection: Selection, why: str) -> None:
    store = open_pages(tmp_path / "words", make_pages(1, 20))
    with pytest.raises(BadInput, match=why):
        (make_keyword_list if selection.is_part else make_frequency_list)(store, selection, ListOptions())


def test_a_web_without_text_says_so(tmp_path: Path) -> None:
    store = open_pages(tmp_path / "words", [PlainPage(1, "a.example", 0, ())])
    with pytest.raises(BadInput, match="no running text"):
        make_frequency_list(store, Selection(), ListOptions())


@pytest.mark.parametrize("seed", range(3))
def test_refreshes_give_what_one_reading_gives(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    monkeypatch.setattr(refresh_tokens, "MOST_TOKENS", 300)
    some = random.Random(seed)
    pages = make_pages(seed, 30)
    unread = {page.id for page in pages}
    for round_ in range(12):
        done = write_pages(tmp_path / "words", pages)
        assert done.read == len(unread & {page.id for page in pages})
        expected, _ = count_words(pages)
        store = TokenStore(tmp_path / "words")
        assert to_counter(make_frequency_list(store, Selection(), ALL).rows) == expected
        assert store.facts["pages"] == len(pages)
        new = make_pages(1_000 * (seed + 1) + round_, 3)
        at = some.randrange(len(pages))
        other = pages[at]
        pages[at] = PlainPage(other.id, other.host, other.date_s, new[0].sentences, other.stamp + 1)
        unread = {page.id for page in (pages[at], *new[1:])}
        del pages[some.randrange(len(pages))]
        pages += new[1:]
    assert len(list((tmp_path / "words").glob(f"*{SUFFIX}"))) <= 20, "small segments were merged"


def test_a_killed_refresh_leaves_the_old_state_and_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(refresh_tokens, "MOST_TOKENS", 100)
    folder, pages = tmp_path / "words", make_pages(2, 60)
    write_pages(folder, pages[:10])
    before = TokenStore(folder).facts

    def fail(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(refresh_tokens, "write_state", fail)
        with pytest.raises(KeyboardInterrupt):
            write_pages(folder, pages)
    assert TokenStore(folder).facts == before
    assert write_pages(folder, pages).read == 0, "what was read before the kill is not read again"
    assert to_counter(make_frequency_list(TokenStore(folder), Selection(), ALL).rows) == count_words(pages)[0]


# Refreshes the store with more and more pages, without end; the pages are those of the test that kills it.
_REFRESHER = """
import sys
from pathlib import Path
from tests.unit.context.words.test_frequency_list import make_pages
from tests.unit.context.words.twin import write_pages
from gossamer.context.words.tokens import refresh_tokens
refresh_tokens.MOST_TOKENS = 100
folder, pages, number = Path(sys.argv[1]), make_pages(6, int(sys.argv[2])), int(sys.argv[3])
print("reading", flush=True)
while number < len(pages):
    number += 1
    write_pages(folder, pages[:number])
    print(number, flush=True)
"""
_MOST_PAGES = 300


@pytest.mark.slow
def test_kills_during_refreshes_leave_a_whole_store_and_lose_nothing(tmp_path: Path) -> None:
    folder, pages = tmp_path / "words", make_pages(6, _MOST_PAGES)
    write_pages(folder, pages[:20])
    done, some = 20, random.Random(6)
    for _ in range(4):
        command = [sys.executable, "-c", _REFRESHER, str(folder), str(_MOST_PAGES), str(done)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, cwd=REPOSITORY) as one:
            assert one.stdout is not None
            assert one.stdout.readline() == b"reading\n"
            told = [one.stdout.readline() for _ in range(some.randint(1, 4))]
            if some.random() < 0.8:  # in the middle of a refresh, and not only at its end
                with pytest.raises(subprocess.TimeoutExpired):
                    one.wait(some.uniform(0.001, 0.02))
            one.kill()
            told += one.stdout.readlines()
        assert one.returncode == -signal.SIGKILL
        told = [line for line in told if line.endswith(b"\n")]
        done = int(told[-1])
        # A refresh that had ended was killed before it said so, or one that had not ended is not seen at all.
        store = TokenStore(folder)
        held = int(store.facts["pages"])
        assert held in (done, done + 1)
        assert to_counter(make_frequency_list(store, Selection(), ALL).rows) == count_words(pages[:held])[0]
        done = held
    write_pages(folder, pages[: done + 30])
    store = TokenStore(folder)
    assert to_counter(make_frequency_list(store, Selection(), ALL).rows) == count_words(pages[: done + 30])[0]
    kept = {segment.name for segment in store.segments}
    assert {path.stem for path in folder.glob(f"*{SUFFIX}")} == kept, "no segment of a killed run is left"
