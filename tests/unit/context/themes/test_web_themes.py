"""The themes of a web: messages for what cannot be done, one theme by name, the map, and refreshing with the index."""

import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from tests.unit.context.themes.subjects import fill_index, make_entry, make_pages

from gossamer.context.themes.theme_map import choose_lines, find_neighbours, measure_radius, place_themes
from gossamer.context.themes.web_themes import choose_theme, find_themes, have_themes, load_state, load_themes
from gossamer.errors import BadInput

REFRESHER = """
import sys
from pathlib import Path
from gossamer.context.themes.web_themes import find_themes
from gossamer.search.index.search_index import Index
folder = Path(sys.argv[1])
print("reading", flush=True)
while True:
    find_themes(folder, Index(folder / "index"), None, number=3)
"""


def test_one_page_or_none(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="has no pages: themes need at least two"):
        find_themes(tmp_path, fill_index([]), None)
    with pytest.raises(BadInput, match="has one page: themes need at least two"):
        find_themes(tmp_path, fill_index([make_entry("music", 1)]), None)
    same = [make_entry("music", number, make_entry("music", 1).main) for number in range(3)]
    with pytest.raises(BadInput, match="two pages with different texts"):
        find_themes(tmp_path, fill_index(same), None)
    with pytest.raises(BadInput, match="from 2 to 200 themes, not 1"):
        find_themes(tmp_path, fill_index(make_pages(3)), None, number=1)
    assert not have_themes(tmp_path)
    with pytest.raises(BadInput, match="were not found yet; `gossamer themes"):
        load_themes(tmp_path)
    with pytest.raises(BadInput, match="were not found yet"):
        load_state(tmp_path)


def test_themes_are_found_once_and_then_refreshed(tmp_path: Path) -> None:
    first = find_themes(tmp_path, fill_index(make_pages()), None, number=4)
    assert load_themes(tmp_path) == first
    second = find_themes(tmp_path, fill_index([*make_pages(), make_entry("bread", 300)]), None)
    assert (second.pages, second.built_s) == (121, first.built_s)
    grown = find_themes(tmp_path, fill_index(make_pages(50)), None)
    assert grown.built_s > first.built_s


def test_a_theme_by_number_and_by_name(tmp_path: Path) -> None:
    themes = find_themes(tmp_path, fill_index(make_pages(10)), None, number=4)
    one = themes.themes[2]
    assert choose_theme(themes, str(one.number)) == choose_theme(themes, one.name.upper()) == one
    with pytest.raises(BadInput, match="did you mean"):
        choose_theme(themes, one.name + "x")
    with pytest.raises(BadInput, match="there is no theme '77'; `gossamer themes` lists them"):
        choose_theme(themes, "77")


def test_a_kill_during_a_refresh_leaves_whole_themes(tmp_path: Path) -> None:
    index = fill_index(make_pages(15), tmp_path / "index")
    old = find_themes(tmp_path, index, None, number=4)
    for pause_s in (0.2, 0.5):
        with subprocess.Popen(
            [sys.executable, "-c", REFRESHER, str(tmp_path)], stdout=subprocess.PIPE
        ) as one:
            assert one.stdout is not None
            assert one.stdout.readline() == b"reading\n"
            time.sleep(pause_s)
            one.kill()
        assert one.returncode == -signal.SIGKILL
        state = load_state(tmp_path)
        assert len(state.pages) == 60
        assert len(state.themes.themes) in (len(old.themes), 3)
        assert sum(theme.size for theme in state.themes.themes) == 60


def test_no_circle_of_the_map_covers_another() -> None:
    dice = np.random.default_rng(3)
    middles = dice.normal(size=(60, 16)).astype(np.float32)
    sizes = dice.integers(1, 500, 60)
    near = find_neighbours(middles, sizes, np.arange(1, 61))
    lines = choose_lines(near, list(range(1, 61)))
    places = place_themes(lines, sizes)
    radii = np.array([measure_radius(int(size), int(sizes.max()), 60) for size in sizes])
    assert ((places - radii[:, None] >= 0) & (places + radii[:, None] <= 1)).all()
    gaps = np.hypot(*(places[:, None] - places[None]).transpose(2, 0, 1)) - radii[:, None] - radii[None]
    np.fill_diagonal(gaps, 1.0)
    assert gaps.min() > -0.01
    assert np.array_equal(places, place_themes(lines, sizes))


def test_a_map_of_one_theme() -> None:
    assert place_themes([], np.array([5])).shape == (1, 2)
    assert find_neighbours(np.ones((1, 4), np.float32), np.array([5]), np.array([1])) == [()]
