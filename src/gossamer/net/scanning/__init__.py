"""One pass over the source of a page, in compiled code: tokens (`source`), what is open (`elements`), what ends it (`ends`),
and the page (`page`). Exact for pages that nest properly, silent for others."""
