"""`gossamer assess`: judge a blind sample of pages and measure the precision of a crawl."""

import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gossamer.cli.task_options import Json, WebPath
from gossamer.errors import BadInput

if TYPE_CHECKING:  # imported when the verb runs, so that help stays quick
    from gossamer.assess.records import Sample, Selection
    from gossamer.assess.sample.draw_sample import SampleRequest
    from gossamer.web import Web


Name = Annotated[str, typer.Option("--name", help="Name of a sample, new or existing.")]
By = Annotated[
    str,
    typer.Option("--by", help="Strata: depth, host, language, task, order, relevance, or a list of these."),
]
SampleSize = Annotated[
    int | None,
    typer.Option(
        "--sample", help="Pages to draw from each stratum, or all if it has fewer. [default: 100]", min=1
    ),
]
Where = Annotated[
    str, typer.Option("--where", help="Only pages that match: 'depth:..3 -host:a.org mark:kind=x'.")
]
Seed = Annotated[int, typer.Option("--seed", help="Random seed; another seed draws other pages.")]
Topic = Annotated[
    str, typer.Option("--topic", help="Take relevance from this trained topic. [default: from the crawl]")
]
Active = Annotated[
    bool,
    typer.Option("--active", help="Draw the pages of which the topic is least certain: they teach it most."),
]
Question = Annotated[
    str, typer.Option("--question", help="What the judges are asked, such as 'Is this page about chess?'.")
]
Judge = Annotated[
    str,
    typer.Option(
        "--judge", help="Name of the judge; with --results, show only this judge. [default: your name; all]"
    ),
]
Sheet = Annotated[
    Path | None,
    typer.Option("--judgements", help="Read verdicts from this sheet (CSV) instead of the keyboard."),
]
Out = Annotated[
    Path | None, typer.Option("--out", help="Write the sample as a sheet (CSV) to judge elsewhere.")
]
AsResults = Annotated[bool, typer.Option("--results", help="Show the results so far; --by groups them.")]
AsList = Annotated[bool, typer.Option("--list", help="List the samples of this web.")]
Forget = Annotated[bool, typer.Option("--forget", help="Delete the sample and its judgements.")]


def assess(
    name: Name = "sample",
    by: By = "",
    sample: SampleSize = None,
    where: Where = "",
    seed: Seed = 1,
    topic: Topic = "",
    active: Active = False,
    question: Question = "",
    judge: Judge = "",
    judgements: Sheet = None,
    out: Out = None,
    results: AsResults = False,
    samples: AsList = False,
    forget: Forget = False,
    web: WebPath = Path("web"),
    json: Json = False,
) -> int:
    """Judge pages of a crawl blindly and measure which share of them is relevant.

    The first call draws a sample; later calls continue with it. One key judges a page, and each judgement is saved at once.

    \b
    gossamer assess --by depth --sample 100 --web docs.web
    gossamer assess --by order --where 'language:de relevance:0.9..' --name german --judge anna
    gossamer assess --question 'Is this page about chess?' --name chess
    gossamer assess --active --topic chess --sample 30 --name lessons
    gossamer assess --name german --out sheet.csv
    gossamer assess --name german --judgements sheet.csv --judge bert
    gossamer assess --name german --results --by depth,order --json
    gossamer assess --name german --forget
    """
    from gossamer.assess.judgements import check_name, check_question
    from gossamer.assess.sample.draw_sample import SampleRequest
    from gossamer.assess.sample.strata import parse_groupings

    check_name("--name", name)
    groups = parse_groupings(by)
    if samples or results:
        _show(web, name if results else None, groups or None, judge, json)
        return 0
    if forget:
        _forget(web, name, json)
        return 0
    who = check_name("--judge", judge or _find_user_name())
    _check_files(judgements, out)
    chosen: Selection = "uncertain" if active else "random"
    request = SampleRequest(
        name=name,
        asked=sample,
        seed=seed,
        by=groups,
        where=where,
        topic=topic,
        chosen=chosen,
        question=check_question(question),
    )
    _judge_sample(web, request, who, judgements, out, json)
    return 0


def _show(folder: Path, name: str | None, by: tuple[str, ...] | None, judge: str, json: bool) -> None:
    """Show the results of a sample, or list the samples if there is no name."""
    from gossamer.cli.assess.results import list_samples, show_results
    from gossamer.web import open_to_read

    with open_to_read(folder) as web:
        if name is None:
            list_samples(web.store, json)
        else:
            show_results(web, name, by, json, judge)


def _forget(folder: Path, name: str, json: bool) -> None:
    """Delete a sample; on a terminal, ask first if judgements would be lost."""
    from gossamer.assess.judgements import delete_sample, get_sample, read_judgements
    from gossamer.cli.output.json_lines import print_json
    from gossamer.cli.output.wording import format_count
    from gossamer.web import open_web

    with open_web(folder, create=False) as web:
        count = len(read_judgements(web.store, get_sample(web.store, name).name))
        if count and sys.stdin.isatty():
            question = f"{format_count(count, 'judgement')} of the sample {name!r} will be lost. Continue?"
            typer.confirm(question, abort=True, err=True)
        lost = delete_sample(web.store, name)
    if json:
        print_json({"sample": name, "judgements": lost})
    else:
        typer.echo(f"The sample {name!r} was deleted, with {format_count(lost, 'judgement')}.")


def _judge_sample(
    folder: Path, request: "SampleRequest", judge: str, sheet: Path | None, out: Path | None, json: bool
) -> None:
    """Draw the sample unless it exists; write it as a sheet, read a sheet, or judge on the terminal."""
    from gossamer.assess.sample.start_sample import find_or_draw_sample
    from gossamer.cli.assess.results import show_results
    from gossamer.cli.output.result_tables import show_progress
    from gossamer.web import open_web

    with open_web(folder, create=False) as web:
        with show_progress("Drawing a sample"):
            sample = find_or_draw_sample(web.store, web.folder, request, time.time())
        if out is not None:
            _write_sheet(web, sample, judge, out, json)
            return
        if sheet is not None:
            _read_sheet(web, sample, judge, sheet)
        else:
            _judge_on_terminal(
                web, sample, judge, (request.topic or sample.topic) if request.chosen == "uncertain" else None
            )
        if json or sheet is not None:
            show_results(web, sample.name, None, json)


def _find_user_name() -> str:
    """Return the name of the user, or "me" if the system knows none."""
    import getpass

    try:
        return getpass.getuser()
    except (OSError, KeyError):
        return "me"


def _check_files(judgements: Path | None, out: Path | None) -> None:
    """Raise `BadInput` if the sample cannot be judged this way, before it is drawn."""
    from gossamer.cli.output.result_tables import check_file

    if judgements is not None and out is not None:
        raise BadInput("--judgements reads a sheet and --out writes one: give only one of them")
    if out is not None:
        check_file("--out", out, ".csv")
    elif judgements is not None and not judgements.is_file():
        raise BadInput(f"--judgements {judgements}: there is no such file")
    elif judgements is None and not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise BadInput("judging needs a terminal; use --out FILE.csv and --judgements FILE.csv without one")


def _write_sheet(web: "Web", sample: "Sample", judge: str, out: Path, json: bool) -> None:
    from gossamer.assess.judge.csv_sheets import write_sheet
    from gossamer.assess.judgements import read_judgements
    from gossamer.cli.output.json_lines import print_json
    from gossamer.cli.output.wording import format_count

    verdicts = {one.page: one.verdict for one in read_judgements(web.store, sample.name, judge)}
    found = (web.store.page(item.page) for item in sample.items)
    rows = write_sheet(out, [page for page in found if page is not None], verdicts)
    if json:
        print_json({"sample": sample.name, "pages": rows, "file": str(out)})
    else:
        typer.echo(
            f"{format_count(rows, 'page')} of the sample {sample.name!r} are in {out}: fill in the verdicts."
        )


def _read_sheet(web: "Web", sample: "Sample", judge: str, sheet: Path) -> None:
    """Save the verdicts of a sheet, all of them or none."""
    from gossamer.assess.judge.csv_sheets import read_sheet
    from gossamer.assess.judgements import read_judgements, save_judgements
    from gossamer.assess.records import Judgement

    urls = web.store.page_urls([item.page for item in sample.items])
    verdicts = read_sheet(sheet, {url: page for page, url in urls.items()})
    if not verdicts:
        raise BadInput(f"--read_judgements {sheet}: no page has a verdict; write relevant, not or unsure")
    last = max((one.number for one in read_judgements(web.store, sample.name, judge)), default=0)
    now_s = time.time()
    new = [
        Judgement(judge, page, verdict, number, now_s)
        for number, (page, verdict) in enumerate(verdicts, last + 1)
    ]
    save_judgements(web.store, sample.name, new)


def _judge_on_terminal(web: "Web", sample: "Sample", judge: str, topic: str | None) -> None:
    """Judge on the terminal; with a topic ("" for the relevance of the crawl), the most uncertain pages first."""
    from gossamer.assess.judge.judge_session import JudgeSession
    from gossamer.assess.sample.page_relevance import make_relevance
    from gossamer.cli.assess.judge_terminal import judge_on_terminal

    session = JudgeSession(web.store, sample, judge, time.time)
    if topic is not None:
        relevance = make_relevance(web.store, web.folder, topic)

        def find_relevance(page_id: int) -> float | None:
            page = web.store.page(page_id)
            return None if page is None else relevance(page)

        session.sort_by_uncertainty(find_relevance)
    judge_on_terminal(web, session)
