"""Judge single URLs by the rules of a task, before a crawl meets them: which rule decides, and what would have to change."""

import re
from collections.abc import Iterable, Sequence

import msgspec

from gossamer.config import Scope, TaskSpec
from gossamer.crawl.control.page_depths import PageDepths
from gossamer.crawl.explain.known_links import LearntRules
from gossamer.crawl.explain.preview_rules import ROBOTS
from gossamer.crawl.host_shards import host_of
from gossamer.crawl.task.scope_rules import FOLLOW, ScopeRules
from gossamer.errors import BadUrl
from gossamer.fetch.user_agent_header import format_user_agent
from gossamer.net import url as urls
from gossamer.records import Link
from gossamer.store.batch import Store
from gossamer.task_file import to_flag

NOT_A_URL = "not a URL"
_PATTERNS = ("include_hosts", "exclude_hosts", "include", "exclude")
_WIDER: tuple[Scope, ...] = ("directory", "host", "site", "any")
_MOST_LINKS = 20
_replace = msgspec.structs.replace


class UrlVerdict(msgspec.Struct, frozen=True):
    """What the rules of a task say about one URL."""

    url: str
    """In canonical form; as it was typed if it is no URL."""
    rule: str
    """The rule that refuses it; "" if it would be followed."""
    detail: str = ""
    """The option, the pattern or the reason that decides."""
    change: str = ""
    """What would have to change; "" if nothing, or if nothing can be done."""
    also: tuple[str, ...] = ()
    """Further rules that refuse it."""
    state: str = ""
    """What the task has done with it; "" if it has not met it."""
    depth: int | None = None
    """How many links it is away from a start page, as far as known links tell."""
    start_page: bool = False


class UrlJudge:
    """The rules of one task, with what the web knows."""

    def __init__(
        self, store: Store, learnt: LearntRules, spec: TaskSpec, seeds: Sequence[str], task: int = 0
    ) -> None:
        """Compile the rules; raise BadInput for a pattern that cannot be used. `task` is 0 for a task that does not exist."""
        self._store = store
        self._learnt = learnt
        self._spec = spec
        self._seeds = frozenset(seeds)
        self._task = task
        self._depths = PageDepths(store, task, seeds)
        plain = TaskSpec(scope="any")
        self._rules = {
            "scope": ScopeRules(_replace(plain, scope=spec.scope, site_rule=spec.site_rule), seeds),
            **{
                name: ScopeRules(
                    _replace(plain, filters=_replace(plain.filters, **{name: getattr(spec.filters, name)})),
                    (),
                )
                for name in _PATTERNS
            },
        }
        self._spent = store.pages_by_host(task) if task and spec.limits.per_host else {}
        self._agent = format_user_agent(spec.politeness)

    def judge(self, typed: str) -> UrlVerdict:
        """Judge one URL as a person typed it."""
        try:
            url = urls.canonical(typed, rules=urls.TYPED_RULES)
        except BadUrl as error:
            return UrlVerdict(typed, NOT_A_URL, error.reason, "write it as https://…")
        depth = self._find_depth(url)
        state = self._find_state(url)
        if url in self._seeds:
            return UrlVerdict(url, FOLLOW, "a start page: no rule refuses it", "", (), state, 0, True)
        refusals = dict(self._list_refusals(url, host_of(url), depth))
        rule = next(iter(refusals), FOLLOW)
        detail, change = refusals.get(rule, ("", ""))
        return UrlVerdict(url, rule, detail, change, tuple(refusals)[1:], state, depth)

    def judge_all(self, typed: Iterable[str]) -> list[UrlVerdict]:
        """Judge several URLs."""
        return [self.judge(one) for one in typed]

    def _list_refusals(self, url: str, host: str, depth: int | None) -> Iterable[tuple[str, tuple[str, str]]]:
        """Yield all rules that refuse a URL, in the order in which a crawl asks them, each with its detail and the change."""
        spec, link = self._spec, Link(url)
        if depth is not None and 0 <= spec.limits.depth < depth:
            yield "depth", (f"{depth} links away; the limit is {spec.limits.depth}", f"--depth {depth}")
        if self._rules["scope"].decide(link, host, 0):
            yield "scope", (f"the scope is {spec.scope}", self._find_wider_scope(link, host))
        for name in _PATTERNS:
            if self._rules[name].decide(link, host, 0):
                yield name, self._explain_pattern(name, host if name.endswith("_hosts") else url)
        if spec.filters.traps and (trap := self._learnt.find_trap(url)):
            yield "trap", (f"{trap.reason}: {trap.pattern}", "--no-traps")
        found = self._learnt.read_robots(host) if spec.politeness.robots else None
        if found is not None and not found.allows(url, self._agent):
            yield ROBOTS, (f"robots.txt of {host}", "ask the owner of the site")
        if spec.limits.per_host and self._spent.get(host, 0) >= spec.limits.per_host:
            spent = self._spent[host]
            yield "per_host", (f"{spent} pages of {host} are fetched", f"--per-host {spent + 1}")

    def _explain_pattern(self, name: str, text: str) -> tuple[str, str]:
        patterns: tuple[str, ...] = getattr(self._spec.filters, name)
        if name.startswith("include"):
            return " or ".join(patterns), f"a further {to_flag(name)} that matches it"
        found = [pattern for pattern in patterns if re.search(pattern, text)]
        return " and ".join(found), f"without {to_flag(name)} {' and '.join(found)}"

    def _find_wider_scope(self, link: Link, host: str) -> str:
        for scope in _WIDER:
            rules = ScopeRules(TaskSpec(scope=scope, site_rule=self._spec.site_rule), self._seeds)
            if scope != self._spec.scope and rules.decide(link, host, 0) == FOLLOW:
                return f"--scope {scope}"
        return ""

    def _find_depth(self, url: str) -> int | None:
        found = [
            depth
            for link in self._store.links_to(urls.page_id(url), _MOST_LINKS)
            if (depth := self._depths.find_target_depth(link)) is not None
        ]
        return min(found, default=None)

    def _find_state(self, url: str) -> str:
        """Say what the task has done with a URL."""
        if not self._task:
            return ""
        page_id = urls.page_id(url)
        if self._store.request(page_id, self._task, host_of(url)) is not None:
            return "waiting"
        visits = [one for one in self._store.visits(page_id) if one.task == self._task]
        return visits[-1].result if visits else ""
