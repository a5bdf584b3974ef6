"""`gossamer check FOLDER` finds in files what `gossamer check URL` finds when a server shows the same files."""

import json
import random
from pathlib import Path

import pytest
from tests.crawl.planted_folder import DISK_ONLY, name_files, write_folder
from tests.crawl.planted_site import Answer, PlantedSite, serve

from gossamer.cli.main import run_verb

pytestmark = pytest.mark.slow
_PUBLISHED = "https://www.published.example"
_PARTS = (
    '<p><a href="{0}">x</a></p>', '<p><a href="{0}#part">x</a></p>', '<p><img src="{0}"></p>', '<p><img src="{0}" alt=""></p>',
    '<link rel="stylesheet" href="{0}">', '<script src="{0}"></script>', '<form action="{0}"></form>', '<iframe src="{0}"></iframe>',
    '<p><img alt="" src="/pic.png" srcset="{0} 2x"></p>', '<p id="part">x</p>', "<p><b><i>x</b></i></p>", '<p><a href="http://">x</a></p>',
    '<link rel="alternate" hreflang="de" href="{0}">', '<link rel="canonical" href="{0}">', '<p><a name="part" href="#nowhere">x</a></p>',
)  # fmt: skip


def check(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, list[dict[str, object]]]:
    code = run_verb(["check", *arguments, "--json"])
    return code, [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def name_problems(lines: list[dict[str, object]], *prefixes: str) -> set[tuple[str, str, str]]:
    """Return problem, target and source of each line, without the address or folder of the site."""

    def name(text: object) -> str:
        short = str(text)
        for prefix in prefixes:
            short = short.removeprefix(prefix)
        return (
            short.removesuffix("index.html")
            if short.endswith("/index.html")
            else short.replace("/index.html#", "/#")
        )

    return {(str(one["problem"]), name(one["target"]), name(one["source"])) for one in lines[:-1]}


def test_a_folder_has_the_planted_defects_of_the_same_site(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    site = name_files(PlantedSite())
    folder = tmp_path / "site"
    folder.mkdir()
    with serve(site) as origin:
        write_folder(site, folder, origin)
        once = ("--tries", "1", "--web")
        served = name_problems(check(capsys, f"{origin}/", *once, str(tmp_path / "served.web"))[1], origin)
        code, lines = check(
            capsys, str(folder), *once, str(tmp_path / "files.web"), "--published", _PUBLISHED
        )
        found = name_problems(lines, str(folder), origin)
    assert served == site.planted
    assert found - served == DISK_ONLY
    assert served - found == set()
    assert code == 1
    statuses = {(str(one["problem"]), one["status"]) for one in lines[:-1]}
    assert {("broken", 410), ("broken", 500), ("unknown", 403), ("permanent-redirect", 301), ("redirect-chain", 302)} <= statuses  # fmt: skip


@pytest.mark.parametrize("seed", range(4))
def test_random_folders_have_the_same_problems_as_when_they_are_served(
    seed: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    chance = random.Random(seed)
    names = [f"/{folder}page-{number}.html" for folder in ("", "deep/") for number in range(6)]
    targets = [
        *names,
        "/pic.png",
        "/none.png",
        "/deep/none.html",
        "page-1.html",
        "./page-2.html",
        "/",
        "/deep/",
    ]
    site = PlantedSite()
    site.answers = {}
    site.add("/pic.png", b"\x89PNG\r\n\x1a\n", kind="image/png")
    links = "".join(f'<a href="{name}">x</a>' for name in names)
    site.add("/", f"<!DOCTYPE html><title>Start</title><p>{links}<a href='deep/'>x</a></p>")
    site.add("/deep/", "<!DOCTYPE html><title>Deep</title><p><a href='../page-1.html'>x</a></p>")
    for name in names:
        title = f"<title>Title {chance.randrange(8)}</title>" if chance.random() < 0.9 else ""
        base = chance.choice(("", "", '<base href="/deep/">', '<base href="deep/">'))
        # On a server, `..` ends at the root; on disk it leads on.
        near = [*targets, "../page-2.html"] if name.startswith("/deep/") else targets
        parts = [one.format(chance.choice(near)) for one in chance.choices(_PARTS, k=6)]
        site.add(name, f"<!DOCTYPE html>{base}{title}{''.join(parts)}")
    root = tmp_path / "site"
    (root / "deep").mkdir(parents=True)
    for path, (_, _, body) in site.answers.items():
        (root / (path.removeprefix("/") + ("index.html" if path.endswith("/") else ""))).write_bytes(body)
    with serve(site) as origin:
        lines = check(capsys, f"{origin}/", "--tries", "1", "--web", str(tmp_path / "served.web"))[1]
    served = name_problems(lines, origin)
    found = name_problems(check(capsys, str(root), "--no-external")[1], str(root))
    assert served
    assert found == served


def test_fragments_of_web_pages_are_asked_for_once_and_kept(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    site = PlantedSite()
    site.answers = {}
    asked: list[str] = []

    class CountedAnswers(dict[str, Answer]):
        """Notes which paths are asked for."""

        def get(self, path: str, default: Answer) -> Answer:  # type: ignore[override]
            asked.append(path)
            return super().get(path, default)

    site.add("/page", "<!DOCTYPE html><title>Page</title><p id=here>x</p><h2 id=user-content-there>x</h2>")
    site.add("/paper.pdf", b"%PDF-1.4 ", kind="application/pdf")
    site.add("/moved", "", 302, Location="/page")
    site.add("/late", "<!DOCTYPE html><title>Late</title><p id=here>x</p>")
    site.answers = CountedAnswers(site.answers)
    web = ("--web", str(tmp_path / "web"), "--tries", "1")
    file = tmp_path / "a.md"
    with serve(site) as origin:
        names = ("page#here", "page#there", "page#gone", "page", "moved#here", "moved#lost", "paper.pdf#page=3", "late")  # fmt: skip
        file.write_text(" ".join(f"[x]({origin}/{name})" for name in names))
        found = name_problems(check(capsys, str(file), *web)[1], origin)
        assert found == {
            ("fragment", "/page#gone", str(file)),
            ("fragment", "/moved#lost", str(file)),
        }
        assert asked.count("/page") <= 2  # once as itself, once behind the redirect
        assert asked.count("/paper.pdf") == 1
        asked.clear()
        file.write_text(f"{file.read_text()} [x]({origin}/late#here) [x]({origin}/late#gone)")
        again = name_problems(check(capsys, str(file), *web)[1], origin)
        assert again == found | {("fragment", "/late#gone", str(file))}
        assert set(asked) <= {"/late", "/robots.txt"}, "only what is not known yet"
