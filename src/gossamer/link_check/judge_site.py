"""Judges every link and every page of a site that has been crawled, some hundred pages at a time."""

from array import array
from collections.abc import Iterable, Iterator, Sequence
from urllib.parse import urlsplit

from gossamer.link_check import judge_pages
from gossamer.link_check.checked_site import CheckedSite
from gossamer.link_check.facts.page_facts import PageFacts, pack_places, unpack_place
from gossamer.link_check.facts.refresh_facts import read_body
from gossamer.link_check.judge_links import BadLink, LinkJudge
from gossamer.link_check.problem import CheckResult, Problem
from gossamer.link_check.read_links import read_links
from gossamer.link_check.target_outcomes import TargetOutcome
from gossamer.net.encoding import as_utf8
from gossamer.net.html.references import read_references
from gossamer.records import Page
from gossamer.store.opening.open_archive import open_reader

_OK = 200
_REDIRECT_PROBLEMS = ("permanent-redirect", "redirect-chain", "redirect-loop")


def judge_site(site: CheckedSite) -> CheckResult:
    """Judge every link and every page."""
    found = judge_pages.merge_problems(_SiteJudge(site).judge())
    return CheckResult(
        [one for one in found if one.problem not in site.options.skip],
        site.survey.addresses,
        site.count_html_pages(),
        site.survey.links,
        site.now_s,
    )


class _SiteJudge:
    """Judges one site."""

    def __init__(self, site: CheckedSite) -> None:
        self._site, self._store, self._facts = site, site.web.store, site.facts
        self._reader = open_reader(site.web.folder / "archive")
        self._titles = judge_pages.TitleTable()

    def judge(self) -> Iterator[Problem]:
        """Yield all problems, in no order."""
        links = LinkJudge(self._site.survey, self._site.outcomes)
        for some in read_links(self._facts, self._site.pages, self._site.survey.skipped):
            yield from self._describe_all(list(links.judge(some)))
            yield from self._judge_pages(some.pages)
        yield from self._judge_orphans(links)
        for same in self._titles.list_duplicates():
            yield from judge_pages.judge_titles(self._read_titles(same))

    # Links

    def _describe_all(self, found: Sequence[BadLink]) -> Iterator[Problem]:
        """Add to bad links their addresses and places."""
        by_source: dict[int, list[BadLink]] = {}
        for bad in found:
            by_source.setdefault(bad.source, []).append(bad)
        pages = self._store.pages_by_id(by_source)
        names = self._name({one.target for one in found} | {one.outcome.final for one in found})
        for source, these in by_source.items():
            if source in pages:
                yield from self._describe(pages[source], these, names)

    def _describe(self, page: Page, found: Iterable[BadLink], names: dict[int, str]) -> Iterator[Problem]:
        """Describe the bad links of a page; only fragments have to be looked up in its source."""
        written = self._read_addresses(page) if any(one.has_fragment for one in found) else {}
        for one in found:
            target = names.get(one.target, "")
            if one.has_fragment:
                target += "#" + written.get(one.place, "").partition("#")[2]
            place = unpack_place(one.place)
            yield Problem(
                one.problem,
                target,
                page.url,
                one.outcome.first_status if one.problem in _REDIRECT_PROBLEMS else one.outcome.status,
                one.kind,
                place.line if page.kind in ("html", "style") else 0,
                place.column if page.kind in ("html", "style") else 0,
                _explain(one.problem, one.outcome, names, target),
                one.times,
            )

    def _read_addresses(self, page: Page) -> dict[int, str]:
        """Return the addresses in the source of a page by their packed places."""
        source = self._read_source(page)
        found = read_references(source).references
        places = pack_places(source, array("I", [one.start for one in found]))
        return {place: one.url for place, one in zip(places.tolist(), found, strict=True)}

    def _name(self, pages: set[int]) -> dict[int, str]:
        """Return the URLs of some pages: those that pages refer to, and those that redirects lead to."""
        names = self._facts.urls(pages)
        return names | self._store.urls(pages - names.keys() - {0})

    def _judge_orphans(self, links: LinkJudge) -> Iterator[Problem]:
        found = links.find_orphans(self._site.start_pages)
        names = self._name({page for pair in found for page in pair})
        for page, sitemap in found:
            yield Problem("orphan", names.get(page, ""), names.get(sitemap, ""), _OK, "sitemap")
        if self._site.is_whole_web:
            yield from self._judge_unlinked(links, {page for page, _ in found})

    def _judge_unlinked(self, links: LinkJudge, known: set[int]) -> Iterator[Problem]:
        """Report the pages of a web that lost their links, or that were start pages: no link leads there. A home page needs none."""
        unlinked = [page for page in links.find_unlinked(self._site.html_pages) if page not in known]
        for name in self._store.page_urls(unlinked).values():
            if urlsplit(name).path not in ("", "/"):
                yield Problem("orphan", name, name, _OK, "page")

    # Pages

    def _judge_pages(self, read: Sequence[tuple[int, PageFacts]]) -> Iterator[Problem]:
        wrong = self._site.wrong_languages
        troubled = {}
        for number, facts in read:
            if facts.is_html:
                self._titles.add(number, facts)
                if number in wrong or judge_pages.has_trouble(facts):
                    troubled[number] = facts
        for number, page in self._store.pages_by_id(troubled).items():
            facts = troubled[number]
            yield from judge_pages.judge_page(page, facts)
            if judge_pages.needs_source(facts):
                yield from judge_pages.judge_source(page, facts, self._read_source(page))

    def _read_titles(self, pages: Sequence[int]) -> Iterator[tuple[str, str]]:
        """Yield the URLs and titles of some pages."""
        found = self._store.page_urls(pages)
        for number in pages:
            facts = self._facts.facts(number)
            if facts is not None and number in found:
                yield found[number], facts.title or ""

    def _read_source(self, page: Page) -> bytes:
        found = read_body(page, self._reader)
        if found is None:
            return b""
        return as_utf8(*found)[0] if page.kind == "html" else found[0]


def _explain(problem: str, outcome: TargetOutcome, names: dict[int, str], target: str) -> str:
    """Say what is known of a bad target beyond its status."""
    final = names.get(outcome.final, "")
    if problem in _REDIRECT_PROBLEMS or (outcome.hops and final and final != target.partition("#")[0]):
        steps = f" in {outcome.hops} steps" if outcome.hops > 1 else ""
        return f"redirects to {final}{steps}" if final else ""
    return outcome.detail[:200]
