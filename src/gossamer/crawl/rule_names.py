"""The names of rules that decide about whole pages, as decisions and counts record them."""

from typing import Literal

NOFOLLOW_PAGE = "nofollow page"
"""The page itself asks robots not to follow its links."""
CONTENT_SEEN = "content seen"
"""The same text was found before, under another URL."""
LANGUAGE = "language"
"""The page or the link is in a language that the task does not want."""
FOCUS = "focus"
"""The page is not about the topic of the task, so its links are not followed."""
SITEMAPS: Literal["sitemaps"] = "sitemaps"
"""The sitemap is nested too deeply, or its host has too many."""
IN_LANGUAGE = "it is in "
"""Precedes the language of a page in the detail of a decision."""
NOT_FOLLOWED = "its links are not followed"
"""The detail of a decision against all links of a page."""
REQUISITE = "requisite"
"""The URL was scheduled since a page needs it to be shown; the detail of the decision is the URL of that page."""
FORGOTTEN: Literal["forgotten"] = "forgotten"
"""The page was forgotten on request and is not collected again."""
WITHDRAWN: Literal["withdrawn"] = "withdrawn"
"""The cause of visits that were not made, since the page was submitted and withdrawn again."""
RULE_OPTIONS = (
    *("scope", "site_rule", "depth", "per_host", "include", "exclude", "include_hosts", "exclude_hosts"),
    *("traps", "nofollow", "robots"),
)
"""Options of a task that decide which links are followed, as far as a preview can tell."""
