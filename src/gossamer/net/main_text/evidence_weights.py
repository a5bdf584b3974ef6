"""The weight of each piece of evidence: above zero for main text, below zero against it.

Learnt by `bench/extraction_learn.py` from 181 news and blog pages of 126 sites (6,940 fragments in their main regions),
regularised towards expected values, and rounded to a tenth. F1 of the main text is .978 on these pages and, by the same
procedure, .975 on pages of sites that were left out of the training. There, leaving out any one line costs at most
.0014 (or gains up to .002: they overlap), and leaving out all names of elements costs .007. The number after each line
is the number of fragments with this evidence.
"""

BIAS = 1.9
WEIGHTS: dict[str, float] = {
    # in the text
    "links over 0.15": -1.0,  # 1812
    "links over 0.3": -0.4,  # 1648
    "links over 0.5": -0.7,  # 1531
    "links over 0.8": -0.5,  # 1418
    "ends a sentence": 0.6,  # 3476
    "cue": -1.4,  # 274
    "h1": -4.9,  # 25: the title is stored separately
    "pre": 2.0,  # 0: expected, for pages about programs
    # in its place
    "home over 0.4": 0.4,  # 4423
    "home over 0.8": 1.4,  # 4196
    "wrapped": -0.7,  # 2487
    "wrapped twice": -0.8,  # 1993
    "after all": -1.1,  # 1063
    "after links": -1.4,  # 1492
    "under cue heading": -1.1,  # 245
    # in the names of its element and those around it
    "named so itself": -2.4,  # 1114
    "in comment": -3.4,  # 45
    "in related": -1.9,  # 165
    "in share": -1.8,  # 129
    "in menu": -2.0,  # 629
    "in advert": -2.0,  # 39
    "in meta": -2.2,  # 597
    "in caption": -1.6,  # 546
    "in biography": -2.0,  # 4
    "in page edge": -1.9,  # 332
    "in side": -2.1,  # 316
    "in asking": -2.0,  # 124
    "in unseen": -1.0,  # 288
    "in embed": 0.9,  # 78: most are posts that the story quotes
    "in item body": 0.7,  # 1357: schema.org's articleBody
    # in the tags around it
    "in nav tag": -3.0,  # 394
    "in header tag": -1.0,  # 311
    "in footer tag": -2.0,  # 60
    "in aside tag": -2.0,  # 96
    "in form tag": -2.0,  # 18
    "in figure tag": -1.0,  # 136
    "in caption tag": -3.0,  # 86
    "in quote tag": 1.4,  # 112
}
