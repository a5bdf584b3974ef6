"""The file of themes is whole or absent: it is read as it was written, damage is reported, and a kill leaves the old one."""

import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from tests.unit.context.themes.subjects import fill_index, make_pages

from gossamer.atomic_file import is_temporary
from gossamer.context.themes.build_themes import build
from gossamer.context.themes.list_pages import list_pages
from gossamer.context.themes.theme_file import ThemeState, read_state, read_themes, write_state
from gossamer.errors import StoreFailed

WRITER = """
import sys, msgspec
from pathlib import Path
from gossamer.context.themes.theme_file import read_state, write_state
path = Path(sys.argv[1])
state = read_state(path)
for number in range(1, 1_000_000):
    themes = msgspec.structs.replace(state.themes, pages=number)
    write_state(msgspec.structs.replace(state, themes=themes), path)
    if number == 1:
        print("writing", flush=True)
"""


@pytest.fixture(scope="module")
def state() -> ThemeState:
    return build(list_pages(fill_index(make_pages(10))), None, 4)


def test_what_is_written_is_read(state: ThemeState, tmp_path: Path) -> None:
    path = tmp_path / "themes" / "themes.bin"
    assert read_themes(path) is None
    assert read_state(path) is None
    write_state(state, path)
    again = read_state(path)
    assert again is not None
    assert again.themes == state.themes == read_themes(path)
    assert np.array_equal(again.pages, state.pages)
    assert np.array_equal(again.vectors, state.vectors)
    assert again.space.terms == state.space.terms
    assert (again.sites, again.languages) == (state.sites, state.languages)


@pytest.mark.parametrize("where", [0, 3, 30, 2_000, -1])
def test_each_damage_is_one_sentence(state: ThemeState, tmp_path: Path, where: int) -> None:
    path = tmp_path / "themes.bin"
    write_state(state, path)
    content = bytearray(path.read_bytes())
    content[where] ^= 0x55
    path.write_bytes(content)
    with pytest.raises(StoreFailed, match="damaged: `gossamer themes --anew` finds them again"):
        read_state(path)


@pytest.mark.parametrize("size", [0, 10, 200, -1])
def test_a_file_that_was_cut_is_damaged(state: ThemeState, tmp_path: Path, size: int) -> None:
    path = tmp_path / "themes.bin"
    write_state(state, path)
    path.write_bytes(path.read_bytes()[:size])
    with pytest.raises(StoreFailed, match="damaged"):
        read_themes(path)


def test_a_kill_leaves_the_old_themes(state: ThemeState, tmp_path: Path) -> None:
    path = tmp_path / "themes.bin"
    write_state(state, path)
    for pause_s in (0.0, 0.003, 0.011):
        with subprocess.Popen([sys.executable, "-c", WRITER, str(path)], stdout=subprocess.PIPE) as process:
            assert process.stdout is not None
            assert process.stdout.readline() == b"writing\n"
            time.sleep(pause_s)
            process.kill()
        assert process.returncode == -signal.SIGKILL
        found = read_state(path)
        assert found is not None
        assert found.themes.pages >= 1
        assert np.array_equal(found.pages, state.pages)
    write_state(state, path)
    assert [one for one in tmp_path.rglob("*") if is_temporary(one)] == []
