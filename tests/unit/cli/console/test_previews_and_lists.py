"""What the console shows is on the command line as well: previews, decisions of rules, documents behind counts, hosts, folders, reports."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from gossamer.cli import main
from gossamer.crawl.control.command_mailbox import read_spec
from gossamer.crawl.status.documents.ended_requests import RESULTS
from gossamer.reports.report_file import read_report
from gossamer.store.batch import TaskNote
from gossamer.web import Web, open_to_read

Captured = pytest.CaptureFixture[str]
PRIVATE = ("--allow-private", "127.0.0.0/8")


def run(capsys: Captured, *arguments: str | Path) -> str:
    """Run a verb that must succeed, and return what it prints."""
    assert main.run_verb([str(one) for one in arguments]) == 0
    return capsys.readouterr().out


def read(capsys: Captured, *arguments: str | Path) -> list[Any]:
    return [json.loads(line) for line in run(capsys, *arguments, "--json").splitlines()]


def refuse(capsys: Captured, *arguments: str | Path) -> str:
    """Run a verb that is used wrongly, and return its one sentence."""
    assert main.run_verb([str(one) for one in arguments]) == 2
    out, err = capsys.readouterr()
    assert not out
    assert err.count("\n") == 1
    return err


def get_task(web: Path) -> TaskNote:
    with open_to_read(web) as opened:
        return opened.task("all")


def test_a_new_task_is_previewed_and_nothing_is_stored(crawled: Path, capsys: Captured) -> None:
    seed = read_spec(get_task(crawled)).seeds[0]
    (wide,) = read(capsys, "crawl", seed, "--scope", "any", *PRIVATE, "--preview", "--web", crawled)
    (narrow,) = read(capsys, "crawl", seed, "--scope", "page", *PRIVATE, "--preview", "--web", crawled)
    assert wide["taken"] > narrow["taken"] == 1
    assert wide["taken"] + sum(wide["refused"].values()) == wide["judged"] == wide["known"]
    text = run(capsys, "crawl", seed, "--scope", "page", *PRIVATE, "--preview", "--web", crawled)
    assert f"This would take up 1 of the {wide['known']:,} links known." in text
    assert "outside the task's scope" in text
    with open_to_read(crawled) as web:
        assert [note.name for note in web.tasks()] == ["all"]


def test_a_preview_needs_a_web_and_makes_none(tmp_path: Path, capsys: Captured) -> None:
    sentence = refuse(capsys, "crawl", "https://www.example.org/", "--preview", "--web", tmp_path / "none")
    assert str(tmp_path / "none") in sentence
    assert not (tmp_path / "none").exists()


def test_a_change_is_previewed_and_not_made(crawled: Path, capsys: Captured) -> None:
    (found,) = read(capsys, "change", "all", "--exclude", "/", "--preview", "--web", crawled)
    seeds = len(read_spec(get_task(crawled)).seeds)
    assert found["after"]["taken"] == seeds
    assert found["lost"]["links"] == found["before"]["taken"] - seeds
    assert found["gained"]["links"] == 0
    text = run(capsys, "change", "all", "--exclude", "/", "--preview", "--web", crawled)
    assert f"No longer taken up: {found['lost']['links']:,}" in text
    assert read_spec(get_task(crawled)).filters.exclude == ()
    assert "takes too long" in refuse(
        capsys, "change", "all", "--exclude", "([^?]+)+[?]$", "--preview", "--web", crawled
    )


def test_rules_are_asked_for_urls_of_a_file_and_for_a_pattern(
    crawled: Path, tmp_path: Path, capsys: Captured
) -> None:
    seed = read_spec(get_task(crawled)).seeds[0]
    urls = tmp_path / "urls.txt"
    urls.write_text(f"{seed}\n\nnot a url\nhttps://elsewhere.example/calendar/1\n")
    first, wrong, other = read(capsys, "explain", "--rules", "all", "--file", urls, "--web", crawled)
    assert (first["rule"], first["start_page"]) == ("", True)
    assert wrong["rule"] == "not a URL"
    assert other["rule"] == ""
    tried = ("--exclude", "calendar", "--scope", "host")
    other = read(capsys, "explain", "--rules", "all", "--file", urls, *tried, "--web", crawled)[2]
    assert (other["rule"], other["also"]) == ("scope", ["exclude"])
    text = run(capsys, "explain", "--rules", "1", "--matching", "robots", *tried, "--web", crawled)
    assert "The pattern matches" in text
    assert "instead of" in text
    assert read_spec(get_task(crawled)).scope == "any"


def test_rules_of_a_task_file_are_asked(crawled: Path, tmp_path: Path, capsys: Captured) -> None:
    task = tmp_path / "docs.toml"
    task.write_text('seeds = ["https://docs.example/"]\nscope = "host"\n')
    urls = ("https://docs.example/a", "https://other.example/")
    found = read(capsys, "explain", *urls, "--rules", task, "--web", crawled)
    assert [(one["rule"], one["change"]) for one in found] == [("", ""), ("scope", "--scope any")]


def test_wrong_questions_about_rules_get_a_sentence(crawled: Path, tmp_path: Path, capsys: Captured) -> None:
    (tmp_path / "bytes").write_bytes(b"\xff\xfe\xff")
    asked = ("explain", "--web", crawled)
    assert "give a URL" in refuse(capsys, *asked)
    assert "--rules TASK judges several" in refuse(capsys, *asked, "https://a.example/", "https://b.example/")
    assert "--exclude needs --rules" in refuse(capsys, *asked, "https://a.example/", "--exclude", "x")
    assert "--rules needs URLs" in refuse(capsys, *asked, "--rules", "all")
    assert "did you mean 'all'" in refuse(capsys, *asked, "--rules", "alll", "https://a.example/")
    assert "there is no file" in refuse(capsys, *asked, "--rules", "all", "--file", tmp_path / "none")
    assert "not a text file" in refuse(capsys, *asked, "--rules", "all", "--file", tmp_path / "bytes")
    assert "--matching" in refuse(capsys, *asked, "--rules", "all", "--matching", "(")


def test_the_documents_behind_each_count_are_listed(crawled: Path, capsys: Captured) -> None:
    note = get_task(crawled)
    counts = {
        name: times for name, times in note.counts.items() if name.partition(":")[0] in RESULTS and times
    }
    assert {"downloaded", "redirected", "failed:404"} <= counts.keys()
    for count, times in counts.items():
        (page,) = read(
            capsys, "status", "--list", count, "--task", "all", "--most", "10000", "--web", crawled
        )
        assert len(page["documents"]) == times, count
        assert page["next_after"] == 0


def test_a_list_of_documents_goes_on(crawled: Path, capsys: Captured) -> None:
    (first,) = read(capsys, "status", "--list", "downloaded", "--most", "3", "--web", crawled)
    after = str(first["next_after"])
    (second,) = read(
        capsys, "status", "--list", "downloaded", "--most", "3", "--after", after, "--web", crawled
    )
    urls = [[one["url"] for one in page["documents"]] for page in (first, second)]
    assert [len(one) for one in urls] == [3, 3]
    assert not set(urls[0]) & set(urls[1])
    text = run(capsys, "status", "--list", "downloaded", "--most", "3", "--web", crawled)
    assert f"--after {after}" in text
    assert urls[0][0] in text


def test_wrong_lists_get_a_sentence(crawled: Path, tmp_path: Path, capsys: Captured) -> None:
    asked = ("status", "--web", crawled)
    assert "there is no list of documents for 'nono'" in refuse(capsys, *asked, "--list", "nono")
    assert "has no task 'x'" in refuse(capsys, *asked, "--list", "failed", "--task", "x")
    assert "leave --follow out" in refuse(capsys, *asked, "--list", "failed", "--follow")
    assert "choose one of them" in refuse(capsys, *asked, "--list", "failed", "--hosts-by", "name")
    assert "--task needs --list" in refuse(capsys, *asked, "--task", "all")
    Web(tmp_path / "empty").close()
    assert "has no tasks" in refuse(capsys, "status", "--list", "failed", "--web", tmp_path / "empty")


def test_hosts_are_listed_in_an_order_and_searched(crawled: Path, capsys: Captured) -> None:
    by_name = [one["name"] for one in read(capsys, "status", "--hosts-by", "name", "--web", crawled)]
    assert by_name == sorted(by_name)
    assert len(by_name) > 1
    (one,) = read(capsys, "status", "--hosts-like", by_name[1], "--web", crawled)
    assert one["name"] == by_name[1]
    assert "There are more" in run(capsys, "status", "--hosts", "1", "--hosts-by", "name", "--web", crawled)
    assert "no such hosts" in run(capsys, "status", "--hosts-like", "zzz", "--web", crawled)


def test_folders_have_the_sizes_and_states_of_their_urls(crawled: Path, capsys: Captured) -> None:
    hosts = read(capsys, "graph", "tree", "--sort", "bytes", "--web", crawled)
    sizes = [one["body_bytes"] for one in hosts]
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[0] > 0
    host = hosts[0]["host"]
    (root,) = read(capsys, "graph", "tree", host, "--top", "0", "--web", crawled)
    folders = [row for row in root["rows"] if "folder" in row]
    assert sum(row["bytes"] for row in root["rows"]) == root["bytes"] == sizes[0]
    assert root["states"]["kept"] == hosts[0]["pages"]
    (inner,) = read(capsys, "graph", "tree", host, "--folder", folders[0]["folder"], "--web", crawled)
    assert inner["states"] == folders[0]["states"]
    text = run(capsys, "graph", "tree", host, "--top", "1", "--web", crawled)
    assert "kept" in text
    assert "`--top 0` shows all" in text


def test_missing_hosts_and_folders_get_a_sentence(crawled: Path, tmp_path: Path, capsys: Captured) -> None:
    hosts = read(capsys, "graph", "tree", "--web", crawled)
    asked = ("graph", "tree", "--web", crawled)
    assert "has no host 'zzz'" in refuse(capsys, *asked, "zzz")
    assert "--folder needs a host" in refuse(capsys, *asked, "--folder", "/a/")
    assert "knows no URL in the folder /nix/" in refuse(capsys, *asked, hosts[0]["host"], "--folder", "/nix/")
    Web(tmp_path / "empty").close()
    assert "no pages yet" in run(capsys, "graph", "tree", "--web", tmp_path / "empty")


def test_a_report_is_made_kept_and_printed(crawled: Path, tmp_path: Path, capsys: Captured) -> None:
    web = Path(shutil.copytree(crawled, tmp_path / "web"))
    (found,) = read(capsys, "web", "report", "languages", "--web", web)
    kept = read_report(web, "languages")
    assert kept is not None
    assert kept.state.pages == found["state"]["pages"] > 0
    assert "Pages by language" in run(capsys, "web", "report", "languages", "--web", web)
    assert "did you mean 'topics'" in refuse(capsys, "web", "report", "topcs", "--web", web)
    assert "no topic is trained yet" in refuse(capsys, "web", "report", "topics", "--web", web)
    Web(tmp_path / "empty").close()
    assert "no pages yet" in refuse(capsys, "web", "report", "--web", tmp_path / "empty")
