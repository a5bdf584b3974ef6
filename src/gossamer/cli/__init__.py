"""The command line: one file for each verb."""

import gc

# Loading makes many objects and next to no circles, and so does a page: looking for circles as often as Python does
# by itself took 6 % of a crawl.
gc.set_threshold(20_000, 20, 20)
