"""The fields of a page that a topic is learnt from, and how much the words of each count."""

FIELDS = ("text", "title", "headings", "url", "anchors", "linked from")
"""The same word means something else in the title than in the text."""
FIELD_WEIGHTS = (1.0, 0.35, 0.15, 0.1, 0.15, 0.5)
"""The weight of each field relative to the text; docs/topics.md says how they were chosen."""
