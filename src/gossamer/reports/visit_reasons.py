"""Why a page is due for a visit, in words."""

from gossamer.crawl.explain.describe_url import format_rate
from gossamer.crawl.recrawl.revisit_plan import DuePage


def describe_reason(one: DuePage) -> str:
    """Return the reasons why a page is due."""
    reasons = [f"changes {format_rate(one.per_day)}", f"{100 * one.chance:.0f} % likely to have changed"]
    if one.told:
        reasons.insert(0, "a sitemap or feed lists it as changed")
    if one.gone_times:
        reasons = [f"could not be fetched {one.gone_times} times in a row"]
    return ", ".join([*reasons, f"weight {one.weight:.2g}"])
