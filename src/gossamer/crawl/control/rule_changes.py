"""Find which changes of a task's options let links through that were refused before. Pure."""

from collections.abc import Callable
from typing import Any

from gossamer.config import Scope, TaskSpec
from gossamer.net import url as urls
from gossamer.store.batch import Widening

_WIDTHS: dict[Scope, int] = {"page": 0, "directory": 1, "host": 2, "site": 3, "any": 4}


def find_widenings(task: int, before: TaskSpec, now: TaskSpec) -> list[Widening]:
    """Return the widenings that follow from changed options: none, if they only became narrower."""
    deeper = _is_higher(before.limits.depth, now.limits.depth, none=-1)
    if _is_wider(before, now):
        return [Widening(task)]
    # Links of pages above the old depth limit were judged by rules that still hold.
    return [Widening(task, before.limits.depth)] if deeper else []


def _is_wider(before: TaskSpec, now: TaskSpec) -> bool:
    """Say whether a link may now be followed that was refused for another reason than its depth."""
    return (
        _is_higher(before.limits.per_host, now.limits.per_host, none=0)
        or any(is_wider(*_both(before, now, name)) for name, is_wider in _FILTERS.items())
        or _is_wider_scope(before, now)
    )


def _both(before: TaskSpec, now: TaskSpec, name: str) -> tuple[Any, Any]:
    return getattr(before.filters, name), getattr(now.filters, name)


def _is_higher(before: int, now: int, none: int) -> bool:
    """Say whether a limit was raised or removed; `none` stands for no limit."""
    return before != none and (now == none or now > before)


def _is_turned_off(before: bool, now: bool) -> bool:
    return before and not now


def _includes_more(before: tuple[str, ...], now: tuple[str, ...]) -> bool:
    return bool(before) and (not now or not set(now) <= set(before))


def _excludes_less(before: tuple[str, ...], now: tuple[str, ...]) -> bool:
    return not set(before) <= set(now)


_FILTERS: dict[str, Callable[[Any, Any], bool]] = {
    "include": _includes_more,
    "include_hosts": _includes_more,
    "language": _includes_more,
    "exclude": _excludes_less,
    "exclude_hosts": _excludes_less,
    "content_seen": _is_turned_off,
    "traps": _is_turned_off,
    "nofollow": _is_turned_off,
}


def _is_wider_scope(before: TaskSpec, now: TaskSpec) -> bool:
    if before.scope == "any":
        return False
    if before.scope != now.scope:
        return now.scope == "external" or _WIDTHS[now.scope] > _WIDTHS.get(before.scope, -1)
    if now.scope == "site" and before.site_rule != now.site_rule:
        return True
    # New start pages widen the scopes that are measured by their hosts; `external` follows other hosts anyway.
    return before.seeds != now.seeds and not _places(now) <= _places(before)


def _places(spec: TaskSpec) -> set[str]:
    """Return what a scope is measured by: hosts, or the start pages themselves."""
    seeds = {urls.canonical(url, rules=urls.TYPED_RULES) for url in (*spec.seeds, *spec.sitemaps)}
    match spec.scope:
        case "host" | "site":
            return set(map(urls.host, seeds))
        case "directory":
            return seeds
    return set()
