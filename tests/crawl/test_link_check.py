"""`gossamer check` finds every planted defect of a site of ten thousand links, and invents none."""

import json
from pathlib import Path

import pytest
from tests.crawl.planted_site import PlantedSite, serve

from gossamer.cli.main import run_verb


def check(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, list[dict[str, object]]]:
    code = run_verb(["check", *arguments, "--json"])
    output = capsys.readouterr()
    return code, [json.loads(line) for line in output.out.splitlines()]


def name_problems(lines: list[dict[str, object]], origin: str) -> set[tuple[str, str, str]]:
    return {
        (
            str(one["problem"]),
            str(one["target"]).removeprefix(origin),
            str(one["source"]).removeprefix(origin),
        )
        for one in lines[:-1]
    }


def test_every_planted_defect_is_found_and_none_is_invented(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    site = PlantedSite()
    assert site.links >= 10_000
    with serve(site) as origin:
        code, lines = check(capsys, f"{origin}/", "--web", str(tmp_path / "web"), "--tries", "1")
        found = name_problems(lines, origin)
        assert found - site.planted == set(), "invented"
        assert site.planted - found == set(), "not found"
        assert code == 1
        assert lines[-1]["broken"] == len({(a, b) for a, b, _ in found if a in ERRORS})

        # What was mended is seen by the next run, although it asks only for what may have changed.
        site.add("/missing", "<!DOCTYPE html><title>Mended</title><p>x</p>")
        site.add("/no.png", b"\x89PNG\r\n\x1a\n", kind="image/png")
        site.add(
            "/page-13",
            "<!DOCTYPE html><title>Page 13</title><h2 id=part-3>x</h2><h2 id=part-0>x</h2><a href='/fresh'>x</a>",
        )
        _, again = check(capsys, f"{origin}/", "--web", str(tmp_path / "web"), "--tries", "1")
        left = name_problems(again, origin)
        assert not {one for one in left if one[1] in ("/missing", "/no.png")}
        assert ("broken", "/fresh", "/page-13") in left
        # Without the network, the same is read from the web.
        _, offline = check(capsys, "--web", str(tmp_path / "web"))
        assert name_problems(offline, origin) >= {one for one in left if one[0] == "fragment"}


ERRORS = {"broken", "unreachable", "fragment", "redirect-loop", "invalid-address"}


def test_a_sound_site_has_exit_code_0_and_a_baseline_hides_what_is_known(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    site = PlantedSite()
    site.answers = {
        "/": (
            200,
            {"Content-Type": "text/html"},
            b"<!DOCTYPE html><title>Sound</title><p id=a><a href='#a'>x</a>",
        )
    }
    with serve(site) as origin:
        code, lines = check(capsys, f"{origin}/", "--web", str(tmp_path / "web"))
        assert (code, lines[-1]["broken"], len(lines)) == (0, 0, 1)
        site.add("/", "<!DOCTYPE html><title>Broken</title><p><a href='/missing'>x</a></p>")
        known = tmp_path / "known.json"
        arguments = (f"{origin}/", "--web", str(tmp_path / "web"), "--baseline", str(known))
        code, lines = check(capsys, *arguments)
        assert (code, len(lines)) == (0, 1), "the first run writes the baseline"
        site.add(
            "/", "<!DOCTYPE html><title>Broken</title><p><a href='/missing'>x</a><a href='/new'>x</a></p>"
        )
        code, lines = check(capsys, *arguments)
        assert code == 1
        assert [one["target"] for one in lines[:-1]] == [f"{origin}/new"]
        known.write_text("{}")
        assert check(capsys, *arguments)[0] == 2


@pytest.mark.parametrize(
    "arguments", [["http://no-such-host.invalid/"], ["no/such/file.md"], ["http://["], []]
)
def test_bad_input_gets_one_sentence(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert run_verb(["check", *arguments]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_pages_of_a_web_that_nothing_links_to_any_more_are_reported(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    site = PlantedSite()
    site.answers = {}
    site.add("/", "<!DOCTYPE html><title>Home</title><a href='/old'>old</a> <a href='/moved'>linked</a>")
    site.add("/old", "<!DOCTYPE html><title>Old</title><a href='/old'>itself</a>")
    site.add("/moved", "", 302, Location="/linked")
    site.add("/linked", "<!DOCTYPE html><title>Linked</title><p>x</p>")
    site.add("/landing", "<!DOCTYPE html><title>Landing</title><a href='/'>home</a>")
    web = ("--web", str(tmp_path / "web"))
    crawl = ("--allow-private", "127.0.0.0/8", "--delay", "0", "--adaptive", "0", "--json")
    with serve(site) as origin:
        seeds = [origin + path for path in ("/", "/linked", "/landing")]
        assert run_verb(["crawl", *seeds, *crawl, *web]) == 0
        capsys.readouterr()

        def find_orphans(*more: str) -> set[str]:
            _, lines = check(capsys, *web, *more)
            return {target for problem, target, _ in name_problems(lines, origin) if problem == "orphan"}

        assert find_orphans() == {"/landing"}
        site.add("/", "<!DOCTYPE html><title>Home</title><a href='/moved'>linked</a>")
        assert run_verb(["recrawl", "--now", "--json", *web]) == 0
        capsys.readouterr()
        assert find_orphans() == {"/landing", "/old"}
        assert find_orphans("--exclude", "/linked") == set(), "links to what is left out are not known"
