"""The tasks of a check: crawl the site, visit again what may have changed, and ask for all other targets.

Each is an ordinary task of the crawl, so robots.txt, pauses, retries and limits are those of the crawl.
"""

from collections.abc import Iterable, Sequence
from ipaddress import ip_address

from gossamer.config import TaskSpec, replace_options
from gossamer.crawl.task.task import Task
from gossamer.link_check.check_options import CheckOptions
from gossamer.link_check.target_outcomes import Outcomes
from gossamer.net import url as urls
from gossamer.net.dates import parse_date
from gossamer.net.robots import parse
from gossamer.records import Page
from gossamer.store.batch import Store, TaskNote

SITE_TASK = "check"
_LOOPBACK = ("127.0.0.0/8", "::1")
_FRESH_SHARE = 0.1
"""A page may be taken for unchanged for a tenth of the time that it had not changed when it was fetched (RFC 9111, 4.2.2)."""
_BEGINNING_BYTES = 65_536
_OWN_MANNERS = {"delay_s": 0.0, "adaptive": 0.0, "per_address": False, "back_off_s": 0.2, "at_once": 8}
_NO_KIND = ("empty",)
"""Keeps no page but empty ones: what other hosts answer is recorded as a visit, and their pages are not taken into the web."""


def is_own(host: str, options: CheckOptions) -> bool:
    """Say whether a host is the user's: declared so, or this machine."""
    name = host.rpartition(":")[0].strip("[]") if host.rpartition(":")[2].isdigit() else host.strip("[]")
    if name in options.own or host in options.own or name == "localhost":
        return True
    try:
        return ip_address(name).is_loopback
    except ValueError:
        return False


def make_site_task(spec: TaskSpec, options: CheckOptions) -> Task:
    """Return the task that crawls the site: with its sitemaps, and quickly if all of its hosts are the user's."""
    seeds = [urls.canonical(url) for url in spec.seeds]
    sitemaps = (
        () if spec.scope in ("page", "directory") else tuple(f"{one}/sitemap.xml" for one in _origins(seeds))
    )
    spec = replace_options(
        spec, name=spec.name or SITE_TASK, seeds=seeds, sitemaps=[*spec.sitemaps, *sitemaps], nofollow=False
    )
    return Task(adapt_manners(spec, seeds, options))


def _origins(seeds: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(urls.origin(url) for url in seeds))


def adapt_manners(spec: TaskSpec, pages: Sequence[str], options: CheckOptions) -> TaskSpec:
    """Return a task that is quick if all of its pages are on hosts of the user, and may reach this machine if they are on it."""
    hosts = {urls.host(url) for url in pages}
    if not hosts or not all(is_own(host, options) for host in hosts):
        return spec
    allowed = [*spec.fetching.allow_private, *(() if set(hosts) <= set(options.own) else _LOOPBACK)]
    return replace_options(spec, allow_private=allowed, **_OWN_MANNERS)


def list_other_sitemaps(store: Store, spec: TaskSpec) -> list[str]:
    """Return the sitemaps that the robots.txt of the start pages name, and that are not start pages already."""
    found: list[str] = []
    known = {urls.canonical(url) for url in spec.sitemaps}
    for host in {urls.host(url) for url in spec.seeds}:
        note = store.host(host)
        for sitemap in parse(note.robots).sitemaps if note is not None and note.robots else ():
            if sitemap not in known and urls.host(sitemap) == host:
                found.append(sitemap)
    return found


def schedule_changed(
    store: Store, options: CheckOptions, now_s: float, troubled: Iterable[int]
) -> list[TaskNote]:
    """Write requests for the pages that may have changed; return the tasks that visit them."""
    suspects = set(troubled)
    due = [
        page.id
        for page in store.pages()
        if page.kind in ("html", "style", "sitemap", "feed")
        and (page.id in suspects or _may_have_changed(page, options, now_s))
    ]
    return schedule_pages(store, due, now_s)


def schedule_pages(store: Store, pages: Iterable[int], now_s: float) -> list[TaskNote]:
    """Write requests for some pages; return the tasks that visit them."""
    from gossamer.crawl.recrawl.revisit_rounds import (  # late: a first check visits no page again
        schedule_visits,
        visit_now,
    )

    due = list(map(visit_now, pages))
    return schedule_visits(store, due, now_s, follow=True) if due else []


def _may_have_changed(page: Page, options: CheckOptions, now_s: float) -> bool:
    """Say whether a page may have changed: always on the user's own hosts, elsewhere by its age and its last change."""
    if is_own(page.host, options) and options.own:
        return True
    modified = parse_date(page.last_modified) if page.last_modified else None
    quiet_s = page.fetched_s - modified.timestamp() if modified is not None else 0.0
    return now_s - page.fetched_s > min(options.age_s, _FRESH_SHARE * max(quiet_s, 0.0))


def make_repeat_task(site: TaskSpec, pages: Sequence[str], options: CheckOptions) -> Task:
    """Return a task that asks once more for pages of the site that could not be had, and crawls on from them."""
    spec = replace_options(site, name=f"{SITE_TASK}-again", seeds=list(pages), sitemaps=[])
    return Task(adapt_manners(spec, pages, options))


def make_asking_tasks(
    site: TaskSpec, pages: Sequence[str], options: CheckOptions, head: bool, whole: bool = False
) -> list[Task]:
    """Return tasks that ask whether addresses exist: by HEAD, by GET of their beginning, or by GET of the whole page.

    One of them is for the user's own hosts and quick; the other has the manners of the crawl.
    """
    tasks = []
    own = [url for url in pages if is_own(urls.host(url), options)]
    others = [url for url in pages if not is_own(urls.host(url), options)]
    for name, some in (("own", own), ("others", others)):
        if some:
            spec = TaskSpec(
                name=f"{SITE_TASK}-{name}",
                seeds=tuple(some),
                scope="any",
                politeness=site.politeness,
                fetching=site.fetching,
            )
            spec = replace_options(
                spec, depth=0, head_only=head, kinds=list(_NO_KIND), bodies=False, traps=False, nofollow=False,
                page_bytes=site.fetching.page_bytes if whole else _BEGINNING_BYTES,
            )  # fmt: skip
            tasks.append(Task(adapt_manners(spec, some, options)))
    return tasks


def make_reading_task(site: TaskSpec, pages: Sequence[str], options: CheckOptions) -> Task:
    """Return a task that fetches and keeps single files of the site, such as its style sheets."""
    spec = replace_options(
        site, name=f"{SITE_TASK}-styles", seeds=list(pages), sitemaps=[], depth=0, scope="any"
    )
    return Task(adapt_manners(spec, pages, options))


def is_due(page: int, outcomes: Outcomes, max_age_s: float, now_s: float) -> bool:
    """Say whether a target is to be asked for: never asked, answered badly, or answered too long ago."""
    found = outcomes.find(page)
    return found.state not in ("ok", "robots-refused") or now_s - found.when_s > max_age_s


def needs_second_look(page: int, outcomes: Outcomes) -> bool:
    """Say whether HEAD was answered badly: servers may refuse it, or answer it wrongly, so GET decides."""
    return outcomes.find(page).state in ("broken", "unknown")
