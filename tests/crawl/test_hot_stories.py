"""Hot stories of a crawled world: planted stories are found by the real verb, and a killed refresh shows the old state."""

import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from tests.crawl.harness import get_world, make_quick_task, run, serve_lab

from gossamer.context.hot.refresh_texts import ReadableWeb, refresh_texts
from gossamer.context.hot.stored_texts import FOLDER, open_texts
from gossamer.lab.behaviour.news_stories import PlantedStory
from gossamer.lab.options import Stories
from gossamer.lab.world.world import World
from gossamer.web import open_to_read

pytestmark = pytest.mark.slow
_STORIES = Stories(count=9, rising=3, days=7, rate=0.06)
_PROGRAM = [sys.executable, "-m", "gossamer.cli.main"]
_REFRESH = """
import sys
from pathlib import Path
from gossamer.context.hot.refresh_texts import ReadableWeb, refresh_texts
from gossamer.web import open_to_read
with open_to_read(Path(sys.argv[1])) as web:
    refresh_texts(ReadableWeb(web.store, web.folder), pages_a_segment=40)
"""


@pytest.fixture(scope="module")
def crawled(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, tuple[PlantedStory, ...]]:
    """A crawled world in which three stories rise."""
    folder = tmp_path_factory.mktemp("crawled") / "web"
    world = World(seed=4, hosts=12, pages=900, languages=("en",), stories=_STORIES)
    with serve_lab(world) as lab:
        run(folder, make_quick_task(lab, seeds=get_world(lab).seeds(everywhere=True)))
    return folder, world.stories()


def ask_program(folder: Path, *options: str) -> Any:
    command = [*_PROGRAM, "hot", "--json", "--web", str(folder), *options]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


def test_planted_stories_are_found_on_their_day(crawled: tuple[Path, tuple[PlantedStory, ...]]) -> None:
    folder, stories = crawled
    days = {story.day for story in stories if story.day}
    reports = {day: ask_program(folder, "--until", day, "--most", "100") for day in days}
    for story in stories[: _STORIES.rising]:
        hot = [set(one["words"]) for one in reports[story.day]["stories"]]
        assert any(len(words & set(story.words)) > 1 for words in hot), story
    for report in reports.values():
        assert set(report["dated_by"]) == {"page", "url", "server", "fetch"}
        assert report["dated_by"]["page"] == report["texts"] > 0
    weekly = subprocess.run(
        [*_PROGRAM, "hot", "--by", "week", "--web", str(folder)], capture_output=True, text=True
    )
    assert weekly.returncode in (0, 2)
    assert weekly.returncode == 0 or "are of one week" in weekly.stderr


def test_a_killed_refresh_leaves_the_old_state(
    crawled: tuple[Path, tuple[PlantedStory, ...]], tmp_path: Path
) -> None:
    folder = tmp_path / "web"
    shutil.copytree(crawled[0], folder, ignore=shutil.ignore_patterns(FOLDER))
    with subprocess.Popen([sys.executable, "-c", _REFRESH, str(folder)], env=os.environ) as refreshing:
        until_s = time.monotonic() + 60
        while not list((folder / FOLDER).glob("segment-*")) and time.monotonic() < until_s:
            time.sleep(0.01)
        refreshing.kill()
    assert len(open_texts(folder)) == 0
    kept = len(open_texts(folder, unfinished=True))
    with open_to_read(folder) as web:
        texts, counts = refresh_texts(ReadableWeb(web.store, web.folder))
        whole, _ = refresh_texts(ReadableWeb(web.store, web.folder))
    assert kept + counts.texts == len(texts) == len(whole)
    assert counts.unchanged >= kept
    left = [path.name for path in (folder / FOLDER).iterdir() if path.name.startswith((".", "segment"))]
    assert sorted(left) == sorted(texts.listed.segments)
    old = ask_program(crawled[0], "--most", "3")["stories"]
    assert [one["words"] for one in ask_program(folder, "--most", "3")["stories"]] == [
        one["words"] for one in old
    ]


def test_only_new_and_changed_pages_are_read(crawled: tuple[Path, tuple[PlantedStory, ...]]) -> None:
    with open_to_read(crawled[0]) as web:
        refresh_texts(ReadableWeb(web.store, web.folder))
        texts, counts = refresh_texts(ReadableWeb(web.store, web.folder))
    assert (counts.texts, counts.copies, counts.missing) == (0, 0, 0)
    assert counts.unchanged == len(texts) > 800
