"""`gossamer check`: find broken links of a site, of files on disk, or of a web."""

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from gossamer.cli.run_options import with_run_options
from gossamer.cli.task_options import Json, parse_web

if TYPE_CHECKING:  # imported when the verb runs, so that help stays quick
    from gossamer.link_check.check_options import CheckOptions
    from gossamer.link_check.problem import CheckResult

_FAILED = 1


@with_run_options()
def check(
    addresses: Annotated[
        list[str] | None,
        typer.Argument(
            help="Start pages of a site, or HTML and Markdown files and folders.", metavar="URL…|FILE…"
        ),
    ] = None,
    web: Annotated[
        Path | None,
        typer.Option(
            "--web",
            parser=parse_web,
            metavar="WEB",
            help="Web to keep the pages in; without a URL, check what it holds. [default: a folder of your cache]",
        ),
    ] = None,
    scope: Annotated[
        str, typer.Option("--scope", help="How far the site goes: page, directory, host or site.")
    ] = "host",
    depth: Annotated[
        int, typer.Option("--depth", min=-1, help="Most links from a start page; -1: no limit.")
    ] = -1,
    pages: Annotated[int, typer.Option("--pages", min=0, help="Most pages to fetch; 0: no limit.")] = 0,
    delay: Annotated[
        float, typer.Option("--delay", min=0.0, help="Pause between two requests to a host, in seconds.")
    ] = 1.0,
    own: Annotated[
        list[str] | None,
        typer.Option("--own", metavar="HOST", help="A host of your own: it is asked without pauses."),
    ] = None,
    external: Annotated[
        bool, typer.Option("--external/--no-external", help="Ask other hosts whether the links to them work.")
    ] = True,
    requisites: Annotated[
        bool,
        typer.Option(
            "--requisites/--no-requisites", help="Check images, style sheets, scripts and the like."
        ),
    ] = True,
    published: Annotated[
        str,
        typer.Option(
            "--published",
            metavar="URL",
            help="Where the folder is, or will be, on the web: links to it lead to its files.",
        ),
    ] = "",
    include: Annotated[
        list[str] | None, typer.Option("--include", metavar="REGEX", help="Check only addresses that match.")
    ] = None,
    exclude: Annotated[
        list[str] | None, typer.Option("--exclude", metavar="REGEX", help="Leave out addresses that match.")
    ] = None,
    accept: Annotated[
        list[int] | None,
        typer.Option("--accept", metavar="STATUS", help="A status that counts as working, such as 403."),
    ] = None,
    skip: Annotated[
        list[str] | None, typer.Option("--skip", metavar="PROBLEM", help="A problem that is not reported.")
    ] = None,
    age: Annotated[
        str, typer.Option("--age", help="Longest time for which a page is taken for unchanged: 1h, 30m, 0.")
    ] = "1h",
    external_age: Annotated[
        str, typer.Option("--external-age", help="Ask other hosts again after this time: 1d, 12h, 0.")
    ] = "1d",
    robots: Annotated[bool, typer.Option("--robots/--no-robots", help="Obey robots.txt.")] = True,
    allow_private: Annotated[
        list[str] | None,
        typer.Option(
            "--allow-private",
            metavar="NETWORK",
            help="A private network that may be asked, such as 10.0.0.0/8.",
        ),
    ] = None,
    hosts_file: Annotated[
        str, typer.Option("--hosts-file", help="File in the format of /etc/hosts, used before DNS.")
    ] = "",
    tries: Annotated[
        int, typer.Option("--tries", min=1, help="Number of attempts before an address counts as broken.")
    ] = 3,
    contact: Annotated[
        str,
        typer.Option("--contact", help="URL or e-mail address that is sent with the name of the program."),
    ] = "",
    baseline: Annotated[
        Path | None,
        typer.Option(
            "--baseline",
            metavar="FILE",
            help="Report only problems that are not in this file; it is written if it does not exist.",
        ),
    ] = None,
    update_baseline: Annotated[
        bool, typer.Option("--update-baseline", help="Write the baseline anew with what is found.")
    ] = False,
    html: Annotated[
        Path | None, typer.Option("--html", metavar="FILE", help="Write a report to look at.")
    ] = None,
    csv: Annotated[
        Path | None, typer.Option("--csv", metavar="FILE", help="Write a table for spreadsheets.")
    ] = None,
    junit: Annotated[
        Path | None, typer.Option("--junit", metavar="FILE", help="Write JUnit XML for build servers.")
    ] = None,
    sarif: Annotated[
        Path | None, typer.Option("--sarif", metavar="FILE", help="Write SARIF for code hosts.")
    ] = None,
    github: Annotated[bool, typer.Option("--github", help="Print annotations for GitHub Actions.")] = False,
    json: Json = False,
) -> int:
    """Find broken links of a site, of files on disk, or of a web that was crawled.

    Links to pages, images, styles, scripts, forms, frames, feeds, sitemaps, canonical addresses, translations and fragments are checked, and the pages themselves: titles, texts of images, encoding, language, HTML that has to be repaired. Files on disk are checked as a server would show them. The exit code is 1 if anything is broken. A second run asks only for what may have changed.

    \b
    gossamer check https://www.example.org/
    gossamer check https://www.example.org/ --own www.example.org --html report.html
    gossamer check docs README.md --no-external
    gossamer check build/html --published https://www.example.org/docs/
    gossamer check --web docs.web --json
    gossamer check https://www.example.org/ --baseline known.json --github
    """
    from gossamer.cli.check.report_files import report
    from gossamer.cli.check.run_check import CheckRequest, run_check
    from gossamer.link_check.baseline import read_baseline

    options = _make_options(locals())
    if baseline is not None and baseline.exists() and not update_baseline:
        read_baseline(baseline)  # before the network is asked
    task = {
        "scope": scope, "depth": depth, "pages": pages, "delay_s": delay, "robots": robots, "tries": tries, "contact": contact,
        "allow_private": allow_private or [], "hosts_file": hosts_file,
    }  # fmt: skip
    result = run_check(CheckRequest(addresses or [], web, task, options, time.time()))
    result = _apply_baseline(result, baseline, update_baseline)
    report(
        result,
        {"html": html, "csv": csv, "junit": junit, "sarif": sarif},
        github,
        json,
        " ".join(addresses or [str(web)]),
    )
    return _FAILED if result.broken else 0


def _make_options(given: dict[str, Any]) -> "CheckOptions":
    from gossamer.cli.check.durations import parse_duration
    from gossamer.errors import BadInput
    from gossamer.link_check.check_options import CheckOptions
    from gossamer.link_check.problem import PROBLEMS
    from gossamer.net.url.url_pattern import compile_pattern

    if unknown := [name for name in given["skip"] or () if name not in PROBLEMS]:
        raise BadInput(f"there is no problem {unknown[0]!r} to skip; the problems are {', '.join(PROBLEMS)}")
    for name in ("include", "exclude"):
        for pattern in given[name] or ():
            compile_pattern(pattern, name)
    return CheckOptions(
        external=given["external"],
        requisites=given["requisites"],
        include=tuple(given["include"] or ()),
        exclude=tuple(given["exclude"] or ()),
        accept=frozenset(given["accept"] or ()),
        age_s=parse_duration(given["age"], "--age"),
        external_age_s=parse_duration(given["external_age"], "--external-age"),
        own=tuple(host.lower() for host in given["own"] or ()),
        skip=frozenset(given["skip"] or ()),
        published=given["published"],
    )


def _apply_baseline(result: "CheckResult", baseline: Path | None, update: bool) -> "CheckResult":
    """Leave out known problems; write the file if there is none yet, or if it is to be written anew."""
    if baseline is None:
        return result
    from gossamer.cli.output.terminal_text import print_error
    from gossamer.link_check.baseline import leave_out_known, read_baseline, write_baseline

    if update or not baseline.exists():
        count = write_baseline(baseline, result.problems)
        print_error(f"{baseline} now has {count:,} known problems; further checks report only new ones")
    return leave_out_known(result, read_baseline(baseline))
