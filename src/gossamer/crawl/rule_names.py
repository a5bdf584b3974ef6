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
