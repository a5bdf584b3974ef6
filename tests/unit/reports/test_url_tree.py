"""The tree of a host counts every URL once in each folder above it, whatever its path looks like."""

from pathlib import Path

from tests.unit.reports.hostile_web import GONE, HOST, MOVED, REFUSED, WAITING, write_hostile_web

from gossamer.reports.url_tree import build_tree, find_folder, list_rows
from gossamer.store.links.url_states import STATES, UrlFact, read_hosts, read_url_states
from gossamer.web import Web


def test_folders_count_what_is_below_them() -> None:
    facts = [
        UrlFact("http://h/", "kept", 5),
        UrlFact("http://h/a", "kept", 7),
        UrlFact("http://h/a/", "failed"),
        UrlFact("http://h/a/b//c?x=/y/", "kept", 11),
        UrlFact("http://h/a/d", "waiting"),
    ]
    root = build_tree(facts)
    assert (root.urls, root.kept, root.failures, root.body_bytes) == (5, 3, 1, 23)
    folder = find_folder(root, "/a/")
    assert folder is not None
    assert (folder.path, folder.urls, folder.body_bytes) == ("/a/", 3, 11)
    assert dict(zip(STATES, folder.counts, strict=True)) == dict.fromkeys(STATES, 0) | {
        "kept": 1,
        "failed": 1,
        "waiting": 1,
    }
    nameless = find_folder(root, "/a/b//")
    assert nameless is not None
    assert [name for name, _ in nameless.leaves] == ["c?x=/y/"]
    assert find_folder(root, "/a/z/") is None
    assert [row.name for row in list_rows(root, "name")] == ["a", "", "a"]
    assert [row.name for row in list_rows(folder, "failures")] == ["", "b", "d"]
    assert [row.name for row in list_rows(root, "bytes")] == ["a", "a", ""]


def test_every_url_of_a_host_has_its_state(tmp_path: Path) -> None:
    write_hostile_web(tmp_path / "web")
    with Web(tmp_path / "web") as web:
        found = {fact.url: fact.state for fact in read_url_states(web.store, HOST)}
        assert found.pop(GONE) == "failed"
        assert found.pop(WAITING) == "waiting"
        assert found.pop(MOVED) == "redirected"
        assert found.pop(REFUSED) == "refused"
        assert set(found.values()) == {"kept"}
        assert len(found) == 4
        assert [fact.state for fact in read_url_states(web.store, "other.example")] == ["known"]
        assert read_url_states(web.store, "x' or '1'='1") == []
        [host] = [one for one in read_hosts(web.store) if one.host == HOST]
        assert (host.pages, host.body_bytes, host.waiting) == (4, 4_000, 1)
