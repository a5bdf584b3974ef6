"""`gossamer assess`: judge a blind sample of pages, and see how good a crawl is."""

import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gossamer.cli.task_options import Json, WebPath
from gossamer.errors import BadInput

if TYPE_CHECKING:  # imported by the verb when it runs: help has to answer at once
    from gossamer.assess.records import Sample, Selection
    from gossamer.assess.sample.draw_sample import SampleRequest
    from gossamer.web import Web


Name = Annotated[str, typer.Option("--name", help="Of the sample: a new one, or one to go on with.")]
By = Annotated[
    str,
    typer.Option("--by", help="Strata: depth, host, language, task, order, relevance, or several of them."),
]
Asked = Annotated[
    int | None,
    typer.Option("--sample", help="Pages to draw of each stratum, or all it has. [default: 100]", min=1),
]
Where = Annotated[
    str, typer.Option("--where", help="Only pages of which this holds: 'depth:..3 -host:a.org mark:kind=x'.")
]
Seed = Annotated[int, typer.Option("--seed", help="Another one draws other pages.")]
Topic = Annotated[
    str, typer.Option("--topic", help="A trained topic tells relevance; else the marks of the crawl do.")
]
Active = Annotated[
    bool, typer.Option("--active", help="Pages first of which the topic is least sure: they teach it most.")
]
Judge = Annotated[
    str, typer.Option("--judge", help="Who judges, or whose results. [default: your name; all]")
]
Sheet = Annotated[
    Path | None, typer.Option("--judgements", help="Read verdicts from this sheet (CSV) instead of asking.")
]
Out = Annotated[
    Path | None, typer.Option("--out", help="Write the sample as a sheet (CSV), to be judged elsewhere.")
]
AsResults = Annotated[
    bool, typer.Option("--results", help="Show what was found so far; --by groups it anew.")
]
AsList = Annotated[bool, typer.Option("--list", help="List the samples of this web.")]
Forget = Annotated[bool, typer.Option("--forget", help="Forget the sample, and all that was said of it.")]


def assess(
    name: Name = "sample",
    by: By = "",
    sample: Asked = None,
    where: Where = "",
    seed: Seed = 1,
    topic: Topic = "",
    active: Active = False,
    judge: Judge = "",
    judgements: Sheet = None,
    out: Out = None,
    results: AsResults = False,
    samples: AsList = False,
    forget: Forget = False,
    web: WebPath = Path("web"),
    json: Json = False,
) -> int:
    """Judge pages of a crawl, blindly, and see which share of them is relevant.

    A sample is drawn the first time; the same command later goes on where it was left. One key judges a page, and each judgement is kept at once.

    \b
    gossamer assess --by depth --sample 100 --web docs.web
    gossamer assess --by order --where 'language:de relevance:0.9..' --name german --judge anna
    gossamer assess --active --topic chess --sample 30 --name lessons
    gossamer assess --name german --out sheet.csv
    gossamer assess --name german --judgements sheet.csv --judge bert
    gossamer assess --name german --results --by depth,order --json
    gossamer assess --name german --forget
    """
    from gossamer.assess.judgements import check_name
    from gossamer.assess.sample.draw_sample import SampleRequest
    from gossamer.assess.sample.strata import parse_groupings

    check_name("--name", name)
    groups = parse_groupings(by)
    if samples or results:
        _look(web, name if results else None, groups or None, judge, json)
        return 0
    if forget:
        _forget(web, name, json)
        return 0
    who = check_name("--judge", judge or _own_name())
    _check_way(judgements, out)
    chosen: Selection = "uncertain" if active else "random"
    wish = SampleRequest(
        name=name, asked=sample, seed=seed, by=groups, where=where, topic=topic, chosen=chosen
    )
    _work(web, wish, who, judgements, out, json)
    return 0


def _look(folder: Path, name: str | None, by: tuple[str, ...] | None, judge: str, json: bool) -> None:
    """Show what was found by a sample, or without a name which samples there are."""
    from gossamer.cli.assess.results import list_samples, show_results
    from gossamer.web import open_to_read

    with open_to_read(folder) as web:
        if name is None:
            list_samples(web.store, json)
        else:
            show_results(web, name, by, json, judge)


def _forget(folder: Path, name: str, json: bool) -> None:
    """Forget a sample; whoever sits at a terminal is asked first whether work may be lost."""
    from gossamer.assess.judgements import delete_sample, get_sample, read_judgements
    from gossamer.cli.output.json_lines import print_json
    from gossamer.cli.output.wording import format_count
    from gossamer.web import open_web

    with open_web(folder, create=False) as web:
        said = len(read_judgements(web.store, get_sample(web.store, name).name))
        if said and sys.stdin.isatty():
            question = f"{format_count(said, 'judgement')} of the sample {name!r} would be lost. Go on?"
            typer.confirm(question, abort=True, err=True)
        lost = delete_sample(web.store, name)
    if json:
        print_json({"sample": name, "judgements": lost})
    else:
        typer.echo(f"The sample {name!r} is forgotten, with {format_count(lost, 'judgement')}.")


def _work(
    folder: Path, wish: "SampleRequest", judge: str, sheet: Path | None, out: Path | None, json: bool
) -> None:
    """Draw a sample, if it is not there, and have it judged in one of three ways."""
    from gossamer.assess.sample.start_sample import find_or_draw_sample
    from gossamer.cli.assess.results import show_results
    from gossamer.cli.output.result_tables import show_progress
    from gossamer.web import open_web

    with open_web(folder, create=False) as web:
        with show_progress("Drawing a sample"):
            sample = find_or_draw_sample(web.store, web.folder, wish, time.time())
        if out is not None:
            _write(web, sample, judge, out, json)
            return
        if sheet is not None:
            _read(web, sample, judge, sheet)
        else:
            _ask(web, sample, judge, (wish.topic or sample.topic) if wish.chosen == "uncertain" else None)
        if json or sheet is not None:
            show_results(web, sample.name, None, json)


def _own_name() -> str:
    """Return what whoever sits here is called; a machine without names has a judge all the same."""
    import getpass

    try:
        return getpass.getuser()
    except (OSError, KeyError):
        return "me"


def _check_way(judgements: Path | None, out: Path | None) -> None:
    """Refuse what cannot be done before a sample is drawn for it."""
    from gossamer.cli.output.result_tables import check_file

    if judgements is not None and out is not None:
        raise BadInput("--judgements reads a sheet and --out writes one: give one of them")
    if out is not None:
        check_file("--out", out, ".csv")
    elif judgements is not None and not judgements.is_file():
        raise BadInput(f"--judgements {judgements}: there is no such file")
    elif judgements is None and not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise BadInput("judging needs a terminal; --out FILE.csv and --judgements FILE.csv do without")


def _write(web: "Web", sample: "Sample", judge: str, out: Path, json: bool) -> None:
    from gossamer.assess.judge.csv_sheets import write_sheet
    from gossamer.assess.judgements import read_judgements
    from gossamer.cli.output.json_lines import print_json
    from gossamer.cli.output.wording import format_count

    said = {one.page: one.verdict for one in read_judgements(web.store, sample.name, judge)}
    found = (web.store.page(item.page) for item in sample.items)
    rows = write_sheet(out, [page for page in found if page is not None], said)
    if json:
        print_json({"sample": sample.name, "pages": rows, "file": str(out)})
    else:
        typer.echo(
            f"{format_count(rows, 'page')} of the sample {sample.name!r} are in {out}: fill in the verdicts."
        )


def _read(web: "Web", sample: "Sample", judge: str, sheet: Path) -> None:
    """Take in the verdicts of a sheet, all of them or none."""
    from gossamer.assess.judge.csv_sheets import read_sheet
    from gossamer.assess.judgements import read_judgements, save_judgements
    from gossamer.assess.records import Judgement

    urls = web.store.page_urls([item.page for item in sample.items])
    verdicts = read_sheet(sheet, {url: page for page, url in urls.items()})
    if not verdicts:
        raise BadInput(f"--judgements {sheet}: no page has a verdict there; write relevant, not or unsure")
    last = max((one.number for one in read_judgements(web.store, sample.name, judge)), default=0)
    now_s = time.time()
    said = [
        Judgement(judge, page, verdict, number, now_s)
        for number, (page, verdict) in enumerate(verdicts, last + 1)
    ]
    save_judgements(web.store, sample.name, said)


def _ask(web: "Web", sample: "Sample", judge: str, topic: str | None) -> None:
    """Let a person judge; with a topic, or "" for the marks of the crawl, the most uncertain pages first."""
    from gossamer.assess.judge.judge_session import JudgeSession
    from gossamer.assess.sample.page_relevance import make_relevance
    from gossamer.cli.assess.judge_terminal import judge_here

    session = JudgeSession(web.store, sample, judge, time.time)
    if topic is not None:
        relevance = make_relevance(web.store, web.folder, topic)

        def now(page_id: int) -> float | None:
            page = web.store.page(page_id)
            return None if page is None else relevance(page)

        session.sort_by_uncertainty(now)
    judge_here(web, session)
