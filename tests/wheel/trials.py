"""A trial of every verb, as a new user would type it, with the extra that it needs.

Without that extra a verb prints one sentence that names it and exits with 2; nothing hangs and nothing prints a traceback.
"""

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

PATIENCE_S = 300
_BIRDS = ("sparrow", "robin", "wren", "finch", "heron", "crane", "swift", "plover", "dunlin")
_PLACES = ("river and its meadow", "harbour and its cranes", "mountain and its forest")
_SCHEDULE = """feed = "news.atom"
[webs]
web = "web"
[[entries]]
name = "hourly"
web = "web"
do = "verify"
when = "every hour"
"""
_POLITE = "--delay 0 --allow-private 127.0.0.0/8"


class Trial(NamedTuple):
    """The arguments of one call, and the extra that it needs; {page} is a start page."""

    arguments: str
    extra: str = ""
    said: str = ""
    """What it prints on standard output, among other things."""


# In this order: later ones use what earlier ones write.
TRIALS = (
    Trial("--version", said="search index: "),
    Trial("--help", said="crawl"),
    Trial(f"crawl {{page}} --web web {_POLITE}", said="finished"),
    Trial("tasks", said="finished"),
    Trial("status", said="finished"),
    Trial("resume", said="Nothing to do"),
    Trial("stop"),
    Trial("change 1 --pages 50"),
    Trial("submit {page}"),
    Trial("recrawl --plan"),
    Trial("explain {page}", said="It was fetched and kept."),
    Trial("picture --help", said="from the archive"),
    Trial("watch {page} --delay 0.1", said="no change"),
    Trial("watch list", said="there"),
    Trial("run schedule.toml --check", said="next: "),
    Trial("run schedule.toml --once"),
    Trial("run schedule.toml --list", said="hourly"),
    Trial("mirror {page} mirrored --web web", said="Open mirrored"),
    Trial("fields {page} --json", said="meta"),
    Trial("check {page} --web checked --json", said="checked"),
    Trial("verify"),
    Trial("backup kept", said="kept"),
    Trial("backup kept --list", said="Back-ups of"),
    Trial("restore kept restored", said="restored"),
    Trial("sql 'select count(*) as pages from pages'", said="pages"),
    Trial("web set title=Birds"),
    Trial("web show", said="Birds"),
    Trial("web report languages"),
    Trial("export warc out.warc.gz"),
    Trial("export wacz out.wacz"),
    Trial("export csv tables"),
    Trial("export corpus out.jsonl"),
    Trial("export web copied"),
    Trial("forget {page} --yes --web copied", said="Forgot"),
    Trial("forget --list --web copied", said="done"),
    Trial("hot", "search"),
    Trial("import out.warc.gz --web imported"),
    Trial("import out.wacz --web imported-too"),
    Trial("assess --out sheet.csv"),
    Trial("topics train birds --text 'birds and their nests'"),
    Trial("topics show birds"),
    Trial("topics export birds birds.topic"),
    Trial("topics import birds.topic --web imported"),
    Trial("topics score {page}"),
    Trial("topics new birds"),
    Trial("topics report --topic birds"),
    Trial("language detect site/index.html", said="English"),
    Trial("language evaluate sentences.tsv"),
    Trial("language train --add fo=texts --out fo.bin"),
    Trial("lab replay out.warc.gz --time 0", said="Served 0 requests"),
    Trial("lab site site --time 0", said="Served 0 requests"),
    Trial("graph stats --edges edges.csv"),
    Trial("graph pagerank --edges edges.csv"),
    Trial("graph compare edges.csv edges.csv,name=again"),
    Trial("graph bowtie"),
    Trial("graph hits"),
    Trial("graph cliques"),
    Trial("graph clusters"),
    Trial("graph cores"),
    Trial("graph noise"),
    Trial("graph path {page} {page}"),
    Trial("graph tree"),
    Trial("index", "search", "added"),
    Trial("search birds", "search", "birds"),
    Trial("ask birds", "search", "birds"),
    Trial("card {page}", said="depth"),
    Trial("backlinks {page}", said="link to it"),
    Trial("proxy --help", said="mitmproxy"),
    Trial("history import visits.jsonl", said="1"),
    Trial("history search birds"),
    Trial("history addresses"),
    Trial("history export read.jsonl"),
    Trial("history forget --all"),
    Trial("concordance birds", "search", "birds"),
    Trial("words", "search", "dunlin"),
    Trial("export vertical out.vrt", "search"),
    Trial("export antconc texts-for-antconc", "search"),
    Trial("themes", "search"),
    Trial("mcp", "search"),
    Trial(f"crawl {{page}} --web indexed --index {_POLITE}", "search", "finished"),
    Trial("users add anna --role operator --users users.toml", said="token"),
    Trial("users list --users users.toml", said="operator"),
    Trial("users role anna judge --users users.toml", said="judge"),
    Trial("users token anna --users users.toml", said="token"),
    Trial("users remove anna --users users.toml", said="removed"),
    Trial("serve --port 0 --time 0", "serve"),
    Trial("lab serve --time 0", "lab", "Served 0 requests"),
    Trial("lab compare --world pages=60,hosts=4 --seeds 1 --orders breadth", "lab", "reachable pages"),
    Trial("demo --pages 20", "lab", "What to try next"),
    Trial("fetcher --web postgresql://crawl@127.0.0.1:9/web", "cluster"),
    Trial("cluster --web postgresql://crawl@127.0.0.1:9/web", "cluster"),
    Trial("web pack --web postgresql://crawl@127.0.0.1:9/web?archive=/nowhere", "cluster"),
    Trial("export web postgresql://crawl@127.0.0.1:9/web?archive=/nowhere", "cluster"),
    Trial(
        "crawl {page} --on ray://127.0.0.1:9 --web postgresql://crawl@127.0.0.1:9/web?archive=/nowhere", "ray"
    ),
    Trial("export parquet parquet-tables", "parquet"),
    Trial("export corpus out.parquet", "parquet"),
    Trial("graph communities", "graph"),
    Trial("graph export gexf out.gexf", "graph"),
    Trial("graph report --out report.html", "graph"),
    Trial("graph stats --edges edges.csv --plot plot.svg", "graph"),
    Trial("recrawl --plan --plot fresh.svg", "graph"),
)


# `make wheel` tries all; the suite leaves these out, which import nothing that another trial does not.
RARELY = (
    *("export wacz", "import out.wacz", "lab replay", "language train", "language evaluate"),
    *("graph hits", "graph cliques", "graph clusters", "graph cores", "graph noise", "graph compare"),
    *("topics export", "topics import", "users list", "users role", "users token", "users remove"),
)
OFTEN = tuple(trial for trial in TRIALS if trial.extra or not trial.arguments.startswith(RARELY))


def write_inputs(folder: Path) -> None:
    """Write a small site and the files that trials read."""
    site = folder / "site"
    site.mkdir(parents=True)
    (folder / "schedule.toml").write_text(_SCHEDULE)
    (folder / "visits.jsonl").write_text(
        '{"url": "http://read.example/birds", "title": "Birds", "opened_s": 1.8e9}\n'
    )
    text = "The birds of the garden build their nests in the old trees, and they sing in the morning."
    for number, bird in enumerate(_BIRDS):
        links = "".join(f'<a href="{(number * 2 + step) % 9}.html">birds {step}</a> ' for step in range(1, 4))
        date = f'<meta property="article:published_time" content="2026-05-0{number + 1}">'
        place = _PLACES[number % 3]
        own = f"A {bird} came to the {place}, and near the {place} the {bird} looked for another {bird}. "
        (site / f"{number}.html").write_text(
            f"<title>Birds {number}</title>{date}<p>{own * 2}{text}</p>{links}"
        )
    (site / "index.html").write_text(f'<title>Birds</title><p>{text}</p><a href="0.html">all birds</a>')
    (folder / "sentences.tsv").write_text(f"en\t{text}\nde\tDie Vögel im Garten bauen ihre Nester.\n")
    (folder / "edges.csv").write_text("1,2\n2,3\n3,1\n3,4\n")
    (folder / "texts").mkdir()
    lines = [
        f"Fuglarnir í garðinum byggja reiður síni í gomlum trøum, tal {number}." for number in range(200)
    ]
    (folder / "texts" / "a.txt").write_text("\n".join(lines))


@contextmanager
def serve_site(folder: Path) -> Iterator[str]:
    """Serve the small site; yield its start page."""
    command = [sys.executable, "-u", "-m", "http.server", "0", "--bind", "127.0.0.1", "--directory", "site"]
    with subprocess.Popen(
        command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as server:
        assert server.stdout is not None
        port = re.search(r"port (\d+)", server.stdout.readline())
        assert port is not None
        try:
            yield f"http://127.0.0.1:{port[1]}/"
        finally:
            server.kill()


def try_verbs(
    program: Sequence[str], folder: Path, page: str, trials: Iterable[Trial], extras: set[str], path: str = ""
) -> list[str]:
    """Run trials in a folder, in an environment with these extras; return a sentence for each that went wrong.

    `path` is a list of folders with further packages, as in PYTHONPATH.
    """
    kept = {name: os.environ[name] for name in ("PATH", "HOME", "LANG", "TMPDIR") if name in os.environ}
    environment = kept | {"COLUMNS": "200", "PYTHONPATH": path, "XDG_DATA_HOME": str(folder / "data")}
    environment["XDG_CONFIG_HOME"] = str(folder / "configuration")
    wrong = []
    for trial in trials:
        words = [word.replace("{page}", page) for word in shlex.split(trial.arguments)]
        try:
            ended = subprocess.run(
                [*program, *words],
                cwd=folder,
                env=environment,
                capture_output=True,
                text=True,
                timeout=PATIENCE_S,
                stdin=subprocess.DEVNULL,
                check=False,
            )
        except subprocess.TimeoutExpired:
            wrong.append(f"gossamer {trial.arguments} did not end")
            continue
        found = _find_fault(trial, ended, not trial.extra or trial.extra in extras)
        wrong += [f"gossamer {trial.arguments}: {found}"] if found else []
    return wrong


def _find_fault(trial: Trial, ended: "subprocess.CompletedProcess[str]", is_installed: bool) -> str:
    """Return what is wrong with the result of a trial; "" if nothing is."""
    told = f"exit code {ended.returncode}, {ended.stdout[-500:]!r}, {ended.stderr[-2000:]!r}"
    if "Traceback" in ended.stderr:
        return told
    if is_installed:
        return "" if ended.returncode == 0 and trial.said in ended.stdout else told
    sentence = rf"gossamer: .*pip install 'gossamer\[{trial.extra}\]'\n"
    is_refused = ended.returncode == 2 and not ended.stdout and re.fullmatch(sentence, ended.stderr)
    return "" if is_refused else f"the missing extra {trial.extra} is not said: {told}"
