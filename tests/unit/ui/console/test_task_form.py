"""The form of a task has a field for every option, and each mistake is told beside its field."""

from pathlib import Path

import pytest

from gossamer import config
from gossamer.config import TaskSpec, from_options
from gossamer.ui.console.tasks.task_form import (
    COMMAND_LINE_ONLY,
    GROUPS,
    list_names,
    make_groups,
    parse_task,
    type_options,
)

SEED = "https://a.example/"


def parse(tmp_path: Path, **changed: str) -> dict[str, str]:
    typed = type_options(from_options(seeds=[SEED]), list_names()) | changed
    return parse_task(typed, list_names(), TaskSpec(), tmp_path).errors


def test_every_option_has_one_field_or_is_left_to_the_command_line() -> None:
    fields = [name for names in GROUPS.values() for name in names]
    assert sorted([*fields, *COMMAND_LINE_ONLY]) == sorted(option.name for option in config.options())


def test_what_is_typed_is_read_back(tmp_path: Path) -> None:
    spec = from_options(
        seeds=[SEED],
        depth=2,
        exclude=["/a b", "<b>"],
        robots=False,
        delay_s=0.25,
        scope="site",
        language=["da"],
    )
    parsed = parse_task(type_options(spec, list_names()), list_names(), TaskSpec(), tmp_path)
    assert (parsed.spec, parsed.errors) == (spec, {})


def test_options_without_a_field_stay(tmp_path: Path) -> None:
    base = from_options(seeds=[SEED], hosts_file="")
    parsed = parse_task({"seeds": SEED, "depth": "4"}, ["seeds", "depth"], base, tmp_path)
    assert parsed.spec == from_options(seeds=[SEED], depth=4)


@pytest.mark.parametrize(
    ("name", "typed", "sentence"),
    [
        ("seeds", "no page", "is not a page that can be fetched"),
        ("seeds", "file:///etc/passwd", "files of this machine are crawled from its command line"),
        ("seeds", "", "a crawl needs at least one start page"),
        ("sitemaps", "nothing", "is not a page that can be fetched"),
        ("sitemaps", "file:///etc/passwd", "files of this machine"),
        ("name", "two words", "write 'two-words' instead"),
        ("scope", "galaxy", "it is one of page, directory"),
        ("depth", "deep", "'deep' is not a whole number"),
        ("depth", "-2", "must be a whole number, at least -1"),
        ("pages", "1.5", "'1.5' is not a whole number"),
        ("per_host", "-1", "at least 0"),
        ("body_bytes", "much", "is not a whole number"),
        ("time_s", "soon", "'soon' is not a number"),
        ("include", "good\n(bad", "'(bad' is not a regular expression"),
        ("exclude", "*.pdf", "here write"),
        ("include_hosts", "[", "is not a regular expression"),
        ("exclude_hosts", "[", "is not a regular expression"),
        ("language", "xx", "does not know the language 'xx'"),
        ("kinds", "htmll", "did you mean 'html'?"),
        ("order", "best", "there is no order 'best'"),
        ("order", "topic", "needs a topic"),
        ("topic", "music", "text:music"),
        ("topic", "/etc/passwd", "given on its command line, not by a browser"),
        ("focus", "sharp", "it is one of learn"),
        ("tunnel", "-3", "at least -1"),
        ("weight", "0", "more than 0"),
        ("delay_s", "-1", "at least 0"),
        ("tries", "0", "at least 1"),
        ("user_agent", "Bot\u200b", "cannot be sent to a server"),
        ("allow_private", "home", "home"),
        ("connections", "-1", "at least 0"),
        ("schemes", "gopher", "gopher"),
        ("readers", "none", "none"),
    ],
)
def test_a_mistake_is_told_beside_its_field_alone(
    tmp_path: Path, name: str, typed: str, sentence: str
) -> None:
    errors = parse(tmp_path, **{name: typed})
    assert list(errors) == [name]
    assert sentence in errors[name]


def test_several_mistakes_are_told_at_once_and_stay_as_typed(tmp_path: Path) -> None:
    typed = {"seeds": "nothing", "depth": "deep", "exclude": "("}
    errors = parse(tmp_path, **typed)
    assert set(errors) == set(typed)
    shown = {one.name: one for group in make_groups(typed, errors) for one in group.fields}
    assert {name: shown[name].value for name in typed} == typed
    assert all(shown[name].error for name in typed)
