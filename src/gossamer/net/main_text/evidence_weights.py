"""The weight of each piece of evidence: above zero for main text, below zero against it.

Learnt by `bench/extraction_learn.py` from 181 news and blog pages and 343 pages of every kind, of 466 sites, regularised
towards expected values, and rounded to a tenth. F1 is .975 on the articles and .960 on the general pages and, by the same
procedure, .972 and .951 on pages of sites that were left out of the training. The number after each line is the number of
fragments with this evidence.
"""

BIAS = 1.5
WEIGHTS: dict[str, float] = {
    # in the text
    "links over 0.15": -1.4,  # 59141
    "links over 0.3": -0.3,  # 58365
    "links over 0.5": -0.5,  # 57461
    "links over 0.8": -0.4,  # 55881
    "ends a sentence": 0.9,  # 14301
    "running": 0.7,  # 11237
    "cue": -3.2,  # 3680
    "date": -0.9,  # 4749
    "h1": -3.7,  # 746: the title is stored separately
    "pre": 2.1,  # 88: expected, for pages about programs
    "div": -1.0,  # 15430
    "li": 0.4,  # 44441
    # in its place
    "home over 0.4": 0.5,  # 14913
    "home over 0.8": 1.2,  # 12433
    "wrapped": -0.4,  # 75274
    "wrapped twice": -0.8,  # 68125
    "after all": -1.7,  # 38193
    "outside": -1.4,  # 67383
    "outside running long": 0.9,  # 626
    "before": 0.4,  # 35169
    "before title": -0.9,  # 30932
    "after title": 0.4,  # 2411
    # in the texts around it
    "after running": -0.4,  # 11130
    "before running": 0.2,  # 11223
    "after links": -1.0,  # 57239
    "before links": -1.1,  # 57093
    "under cue heading": -1.4,  # 3431
    # in the names of its element and those around it
    "named so itself": -0.5,  # 31004
    "named meta itself": -1.4,  # 6132
    "in comment": -3.5,  # 3897
    "in related": -0.8,  # 6441
    "in share": -2.0,  # 2285
    "in menu": -0.4,  # 40053
    "in advert": -1.3,  # 966
    "in meta": -2.4,  # 10489
    "in caption": -1.6,  # 4770
    "in biography": -2.0,  # 534
    "in page edge": -1.8,  # 11295
    "in page head": 0.2,  # 22645
    "in headline": -1.0,  # 7522
    "in introduction": 0.8,  # 1080
    "in side": -1.2,  # 13489
    "in asking": -1.8,  # 5126
    "in embed": 0.8,  # 617: most are posts that the story quotes
    "in item body": 1.2,  # 3056: schema.org's articleBody
    # in the tags around it
    "in nav tag": -3.2,  # 27006
    "in header tag": -0.5,  # 21976
    "in footer tag": -2.5,  # 9609
    "in aside tag": -1.6,  # 6429
    "in form tag": -0.9,  # 3066
    "in figure tag": -0.5,  # 712
    "in caption tag": -3.1,  # 477
    "in quote tag": 1.8,  # 949
}
