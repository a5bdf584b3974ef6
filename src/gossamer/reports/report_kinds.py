"""The reports that can be made from a web: what each says, what it needs, and how it is made."""

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from pathlib import Path

import msgspec

from gossamer.assess.results.crawl_report import CrawlReport, make_report
from gossamer.assess.sample.page_facts import CrawledPage, read_crawled_pages
from gossamer.assess.sample.page_relevance import make_cached_relevance, make_relevance
from gossamer.crawl.control.command_mailbox import read_spec
from gossamer.crawl.explain.describe_url import USUAL_SHARE
from gossamer.errors import BadInput
from gossamer.graph.link_selection import LinkSelection
from gossamer.reports import freshness_tables, language_tables, study_tables
from gossamer.reports.analysis import Analysis
from gossamer.reports.crawl_tables import analyse_crawl
from gossamer.reports.graph.graph_input import GraphInput, open_graph
from gossamer.reports.graph.graph_report import ReportOptions, make_graph_report
from gossamer.reports.graph.page_ranking import analyse_hits, analyse_pagerank
from gossamer.reports.report_file import KeptSection, keep_section
from gossamer.store.batch import Store
from gossamer.store.model_folder import topic_names
from gossamer.web import Web, open_to_read

Progress = Callable[[float], None]
_TOP = 100
"""The number of rows of long tables; pages show the first of them, downloads have all."""
# The damping of Schmitz 2001, section 3.6, which is the share of its weight that a page keeps.
_STUDY_DAMPING = 0.05


class ReportContent(msgspec.Struct, frozen=True):
    """What a report says."""

    key_figure: str
    findings: list[str]
    sections: list[KeptSection]


class ReportKind(msgspec.Struct, frozen=True):
    """One of the reports."""

    name: str
    """In addresses and files."""
    title: str
    sentence: str
    """What it says."""
    make: Callable[[Path, Progress], ReportContent]
    find_obstacle: Callable[[Web], str]
    """Returns what is missing, and what to do; "" if it can be made."""


def _make_graph(folder: Path, progress: Progress) -> ReportContent:
    with ExitStack() as stack:
        half = lambda part: progress(part / 2)  # noqa: E731 - the plots are the other half
        graph_input = _open_input(folder, LinkSelection(), stack, half, with_facts=True)
        made = make_graph_report(graph_input, ReportOptions(full=True), stack)
        core = made.parts["Bow-tie"].facts["regions"]["SCC"]["share"]
        nodes, links = graph_input.loaded.graph.nodes, graph_input.loaded.graph.links
        sections = _keep_sections(made.parts, progress)
    key = f"{nodes:,} pages, {links:,} links, {core:.0%} in the core"
    return ReportContent(key, made.findings, sections)


def _make_topics(folder: Path, progress: Progress) -> ReportContent:
    with open_to_read(folder) as web:
        topic = _choose_topic(web)
        found = _rate_pages(web, topic, lambda part: progress(part / 2))
        if not found.crawls:
            raise BadInput("the web has no pages yet to report on")
        sections = _keep_sections({"Pages, relevance and harvest": analyse_crawl(found)}, progress)
    rated = sum(sum(crawl.histogram) for crawl in found.crawls)
    relevant = sum(row.relevant for crawl in found.crawls for row in crawl.depths)
    share = f"{relevant / rated:.1%} of {rated:,} rated pages are relevant" if rated else "no page is rated"
    by = f"the topic {topic}" if topic else "the topic of each crawl"
    sentence = f"Relevance is by {by}; pages with at least {found.threshold:g} count as relevant."
    return ReportContent(share, [sentence], sections)


def _make_freshness(folder: Path, progress: Progress) -> ReportContent:
    with open_to_read(folder) as web:
        schedule, now_s = web.schedule(), time.time()
        progress(0.4)
        per_day = max(1.0, round(USUAL_SHARE * len(schedule.pages.ids), 1))
        budgets = freshness_tables.analyse_budgets(schedule, per_day, now_s)
        parts = {
            "Freshness by budget": budgets,
            "Changes and ages": freshness_tables.analyse_ages(schedule, now_s),
            "Schedule": freshness_tables.analyse_due_pages(web, schedule, per_day, now_s, _TOP),
        }
        sections = _keep_sections(parts, progress)
    fresh = budgets.facts["fresh_now"]
    sentence = f"A budget of {per_day:,.0f} visits a day, {USUAL_SHARE:.0%} of the pages, is assumed."
    return ReportContent(f"{fresh:.1%} up to date by weight", [sentence], sections)


def _make_languages(folder: Path, progress: Progress) -> ReportContent:
    with open_to_read(folder) as web:
        shares = language_tables.analyse_shares(web)
        progress(0.1)
        words = language_tables.analyse_words(web, lambda part: progress(0.1 + 0.4 * part))
        sections = _keep_sections({"Languages": shares, "Words": words}, progress)
    named = [one for one in shares.facts["languages"] if one["language"]]
    largest = f"{named[0]['name']} first" if named else "none recognised"
    return ReportContent(f"{len(named):,} languages, {largest}", [], sections)


def _make_study(folder: Path, progress: Progress) -> ReportContent:
    with ExitStack() as stack:
        graph_input = _open_input(folder, LinkSelection(), stack, progress, with_facts=True)
        with open_to_read(folder) as web:
            crawl = analyse_crawl(_rate_pages(web, _choose_topic(web), lambda part: progress(0.1 * part)))
        graphs = study_tables.summarise_selections(folder, lambda part: progress(0.1 + 0.2 * part))
        sites = _open_input(folder, study_tables.SITE_LINKS, stack, lambda part: progress(0.3 + 0.2 * part))
        parts = {
            "Pages by depth, relevance and precision (tables 3.1 to 3.3)": crawl,
            "Links by kind (table 3.4)": study_tables.analyse_link_kinds(graph_input),
            "Bow-ties (tables 3.5 to 3.10)": study_tables.tabulate_bowties(graphs),
            "Density (table 3.11)": study_tables.tabulate_densities(graphs),
            "Clusters and bipartite cores (table 3.12)": study_tables.analyse_runs(sites),
            "PageRank between sites (tables 3.13 and 3.14)": analyse_pagerank(sites, variant="seed"),
            "Hubs and authorities between sites (table 3.15)": analyse_hits(
                sites, damping=_STUDY_DAMPING, variant="seed"
            ),
        }
        sections = _keep_sections(parts, progress)
        links = sites.loaded.graph.links
    sentence = (
        "These are the tables of Schmitz 2001, chapter 3, made from this web. As in the study, groups and best pages are by "
        "links between sites."
    )
    return ReportContent(f"{links:,} links between sites", [sentence], sections)


def _open_input(
    folder: Path, selection: LinkSelection, stack: ExitStack, progress: Progress, with_facts: bool = False
) -> GraphInput:
    source = {"web": folder}
    loaded = stack.enter_context(open_graph(source, selection, with_facts))
    return GraphInput(loaded, _TOP, progress, source, selection, on_page=True)


def _keep_sections(parts: Mapping[str, Analysis], progress: Progress) -> list[KeptSection]:
    """Draw the plots, which take about as long as the analyses: the second half of the work."""
    sections = []
    for at, (title, part) in enumerate(parts.items()):
        progress(0.5 + 0.5 * at / len(parts))
        sections.append(keep_section(title, part))
    return sections


def _choose_topic(web: Web) -> str:
    """Return the topic that rates pages; "" if a crawl has rated them, or if none is trained."""
    return "" if _has_marks(web.store) else next(iter(topic_names(web.folder)), "")


def _rate_pages(web: Web, topic: str, progress: Progress) -> CrawlReport:
    rate = make_cached_relevance if topic else make_relevance
    pages = read_crawled_pages(web.store, rate(web.store, web.folder, topic))
    return make_report(web.store, _watch_pages(pages, web.store.counts()["pages"], progress))


def _watch_pages(pages: Iterator[CrawledPage], count: int, progress: Progress) -> Iterator[CrawledPage]:
    for number, page in enumerate(pages, 1):
        if number % 100 == 0:
            progress(min(1.0, number / max(count, 1)))
        yield page


def _has_marks(store: Store) -> bool:
    """Say whether a crawl rated its pages by a topic."""
    return any(read_spec(note).topic for note in store.tasks())


def _need_pages(web: Web) -> str:
    if web.store.counts()["pages"]:
        return ""
    return "The web has no pages yet: `gossamer crawl URL` fetches some."


def _need_topic(web: Web) -> str:
    if (obstacle := _need_pages(web)) or _has_marks(web.store) or topic_names(web.folder):
        return obstacle
    return "No topic is trained yet: `gossamer topics train NAME --examples URL` learns one from examples."


KINDS = {
    kind.name: kind
    for kind in (
        ReportKind(
            "graph",
            "Graph",
            "Links and their distributions, the bow-tie, the best pages, and the groups that links form.",
            _make_graph,
            _need_pages,
        ),
        ReportKind(
            "topics",
            "Topics",
            "How relevant the pages are, at which depth, and how the harvest went over time.",
            _make_topics,
            _need_topic,
        ),
        ReportKind(
            "freshness",
            "Freshness",
            "How often pages change, how old the copies are, and which visits come next.",
            _make_freshness,
            _need_pages,
        ),
        ReportKind(
            "languages",
            "Languages",
            "The languages of the pages, and how often their words occur (Zipf's law).",
            _make_languages,
            _need_pages,
        ),
        ReportKind(
            "study",
            "Tables of the study",
            "The tables of Schmitz 2001: depth, links, bow-ties, densities, clusters, cores, PageRank, HITS.",
            _make_study,
            _need_pages,
        ),
    )
}
