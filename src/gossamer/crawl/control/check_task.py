"""Check a task before it runs: everything that can be seen to be wrong in its options."""

import difflib
import time
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import get_args

from gossamer.config import Rendering, TaskSpec
from gossamer.crawl.control.start_tasks import list_start_pages
from gossamer.crawl.patterns.try_patterns import refuse_slow_patterns
from gossamer.crawl.shared_turns import MOST_SHARDS
from gossamer.crawl.task.load_topics import load_topics
from gossamer.crawl.task.make_guide import check_order
from gossamer.crawl.task.scope_rules import ScopeRules
from gossamer.crawl.task.task import Task
from gossamer.crawl.task.task_functions import TaskFunctions
from gossamer.documents.plugin_readers import DOCUMENT, load_readers
from gossamer.errors import BadInput
from gossamer.fetch.address_guard import parse_networks
from gossamer.fetch.bandwidth.reception_limits import check_limits
from gossamer.fetch.dns.dns_cache import read_hosts_file
from gossamer.fetch.proxy import parse_proxy
from gossamer.frontier.quiet_hours import QuietHours
from gossamer.net.media_type import Kind
from gossamer.order import find_order
from gossamer.plugins import load_plugin
from gossamer.store.opening.web_location import find_database

_LEAST_RENDER_S = 0.5


def check_task(spec: TaskSpec, folder: Path | None = None) -> None:
    """Raise BadInput for the first option that cannot work: a start page, a pattern, an order, an address …

    `folder` is the web's directory, whose language model may know more languages than the shipped one.
    """
    seeds = list_start_pages(spec)
    ScopeRules(spec, seeds)
    refuse_slow_patterns(spec)
    _check_folders(spec.fetching.allow_files, seeds)
    check_order(spec)
    check_plugins(spec)
    load_topics(spec.notice, folder)
    if spec.fields:
        from gossamer.fields.extract_fields import FieldExtractor  # late: it loads the parser

        FieldExtractor(spec.fields)
    fetching = spec.fetching
    parse_networks(fetching.allow_private)
    if fetching.proxy:
        parse_proxy(fetching.proxy)
    if fetching.hosts_file:
        read_hosts_file(Path(fetching.hosts_file))
    _check_kinds(spec.filters.kinds)
    if spec.filters.language:
        _check_languages(spec.filters.language, folder)
    check_limits(spec.politeness)
    QuietHours(spec.politeness.quiet_hours).check(time.time())
    _check_rendering(spec.rendering, folder)
    _check_agent(spec.politeness.user_agent, spec.politeness.contact)


def _check_rendering(wish: Rendering, folder: Path | None) -> None:
    """Raise BadInput if pages are to be shown in a browser, or pictures to be kept, and none could be."""
    if wish.render == "never":
        if wish.screenshots:
            raise BadInput(
                "--screenshots keeps pictures of pages that are shown in a browser: add --render always, or auto for those "
                "that need it; `gossamer picture` makes one from the archive later"
            )
        return
    if wish.render == "auto" and not wish.render_share:
        raise BadInput(
            "--render-share 0 lets auto show no page: give it a share above 0, or use --render never"
        )
    if wish.render_time_s < _LEAST_RENDER_S:
        raise BadInput(
            f"--render-time {wish.render_time_s:g} leaves no page the time to get quiet: give it {_LEAST_RENDER_S:g} s or more"
        )
    if folder is not None and find_database(folder) is not None:
        return  # other machines may have a browser
    from gossamer.fetch.browser.try_browser import try_browser  # late: few tasks need a browser

    try_browser(wish.browser)


def check_plugins(spec: TaskSpec) -> None:
    """Raise BadInput for a plug-in of a task that is not installed or cannot be loaded."""
    TaskFunctions(Task(), spec.plugins)
    load_readers(spec.plugins.readers)
    for scheme in spec.fetching.schemes:
        if scheme != "ftp":
            load_plugin("schemes", scheme)
    find_order(spec.order)


def check_processes(processes: int, tasks: Sequence[Task]) -> None:
    """Raise BadInput if the tasks cannot be crawled in this number of processes."""
    if not 1 <= processes <= MOST_SHARDS:
        raise BadInput(f"a web is crawled in 1 to {MOST_SHARDS} processes, not in {processes}")
    if processes > 1:
        from gossamer.crawl.control import pickle_functions  # late: a crawl in one process needs no pickle

        pickle_functions.pack(dict(enumerate(tasks)))


def _check_folders(folders: Sequence[str], seeds: Iterable[str]) -> None:
    """Raise BadInput if a folder does not exist, or if a start page is a file and no folder is named."""
    for folder in folders:
        if not Path(folder).is_dir():
            raise BadInput(f"--allow-files: {folder} is not a folder")
    if not folders and (file := next((url for url in seeds if url.startswith("file:")), "")):
        raise BadInput(
            f"{file} is a file of this machine: name the folder that may be crawled with --allow-files"
        )


def _check_kinds(kinds: Iterable[str]) -> None:
    known = (*get_args(Kind), DOCUMENT)
    for kind in kinds:
        if kind not in known:
            near = difflib.get_close_matches(kind, known, n=1)
            hint = f"did you mean {near[0]!r}?" if near else f"there are {', '.join(known)}"
            raise BadInput(f"there is no kind of content {kind!r}; {hint}")


def _check_languages(codes: Iterable[str], folder: Path | None) -> None:
    # Imported here: only tasks that name languages need the recogniser.
    from gossamer.store.model_folder import language_model
    from gossamer.text.language.language_codes import resolve_languages

    resolve_languages(codes, language_model(folder) if folder else None)


def _check_agent(*words: str) -> None:
    for word in words:
        if not (word.isascii() and (word.isprintable() or not word)):
            raise BadInput(f"{word!r} cannot be sent to a server: use plain characters")
