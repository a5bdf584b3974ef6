"""HTML templates of the hosts of the synthetic web, in styles from 1997 to today: data.

A template is HTML with section names in braces. Sections are filled in document order, so the visible text of a
page follows the order of the sections in its template. Templates contain no links: all links are planned.
"""

import re
from typing import Literal

import msgspec

BlockKind = Literal[
    "h1", "h2", "h3", "p", "quote", "list", "table", "links", "image", "map", "iframe", "form"
]


class BlockTags(msgspec.Struct, frozen=True, gc=False):
    """The tags around a block and around each of its items."""

    open: str
    close: str
    item_open: str = ""
    item_close: str = ""


class PageStyle(msgspec.Struct, frozen=True):
    """The HTML style of the pages of a host."""

    name: str
    parts: tuple[str, ...]
    """Literal HTML and section names in turn, literal first."""
    tags: dict[BlockKind, BlockTags]
    menu: BlockTags
    foot: BlockTags
    anchor: str = '<a href="%s"%s>%s</a>'
    separator: str = "\n"
    """Between the links of menu and footer; visible characters are part of the text."""
    old_head: bool = False
    """The charset is in http-equiv, and non-ASCII letters are character references."""


def _split_template(template: str) -> tuple[str, ...]:
    return tuple(re.split(r"\{(\w+)\}", template))


_BLOCK_TAGS: dict[BlockKind, BlockTags] = {
    "h1": BlockTags("<h1>", "</h1>\n"),
    "h2": BlockTags("<h2>", "</h2>\n"),
    "h3": BlockTags("<h3>", "</h3>\n"),
    "p": BlockTags("<p>", "</p>\n"),
    "quote": BlockTags("<blockquote><p>", "</p></blockquote>\n"),
    "list": BlockTags("<ul>\n", "</ul>\n", "<li>", "</li>\n"),
    "table": BlockTags("<table>\n<tbody>\n", "</tbody>\n</table>\n", "<td>", "</td>"),
    "links": BlockTags('<ul class="links">\n', "</ul>\n", "<li>", "</li>\n"),
    "image": BlockTags(
        '<figure><img src="%s" alt="%s" width="320" height="240"><figcaption>', "</figcaption></figure>\n"
    ),
    "map": BlockTags(
        '<p><img src="/images/map.gif" alt="" usemap="#regions" width="400" height="300"></p>\n'
        '<map name="regions">\n',
        "</map>\n",
    ),
    "iframe": BlockTags("<div>", "</div>\n"),
    "form": BlockTags('<div class="find">', "</div>\n"),
}

_SEMANTIC = PageStyle(
    name="semantic",
    parts=_split_template(
        """<!DOCTYPE html>
<html{html}>
<head>
{head}<style>main{max-width:46em}nav li{display:inline}</style>
</head>
<body>
<header><p class="site">{banner}</p><p>{slogan}</p></header>
<nav aria-label="main">{menu}</nav>
<main>
<article>
{main}</article>
</main>
<aside>{aside}</aside>
<footer>{foot}<p><small>{legal}</small></p></footer>
</body>
</html>
"""
    ),
    tags=_BLOCK_TAGS,
    menu=BlockTags("<ul>\n", "</ul>", "<li>", "</li>"),
    foot=BlockTags("<ul>\n", "</ul>\n", "<li>", "</li>"),
)

_DIVS = PageStyle(
    name="divs",
    parts=_split_template(
        """<!DOCTYPE html>
<html{html}>
<head>
{head}</head>
<body>
<div id="wrap"><div class="in">
<div class="hd"><div class="lg">{banner}</div><div class="sl">{slogan}</div></div>
<div class="l1"><div class="bx"><div class="nv">{menu}</div></div>
<div class="bx side">{aside}</div></div>
<div class="l2"><div class="bc">{crumbs}</div>
<div class="ct"><div class="ct-in">
{main}</div></div></div>
<div class="clear"></div>
<div class="ft"><div class="ft-in">{foot}<div>{legal}</div></div></div>
</div></div>
</body>
</html>
"""
    ),
    tags={
        **_BLOCK_TAGS,
        "p": BlockTags('<div class="tx">', "</div>\n"),
        "quote": BlockTags('<div class="tx qt">', "</div>\n"),
        "links": BlockTags('<div class="ls">\n', "</div>\n", '<div class="it">', "</div>\n"),
        "image": BlockTags('<div class="im"><img src="%s" alt="%s"><div class="cp">', "</div></div>\n"),
    },
    menu=BlockTags("", "", '<div class="mi"><span>', "</span></div>"),
    foot=BlockTags("<div>", "</div>\n", "<span>", "</span>"),
)

_TABLES = PageStyle(
    name="tables",
    parts=_split_template(
        """<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 3.2 Final//EN">
<HTML{html}>
<HEAD>
{head}</HEAD>
<BODY BGCOLOR="#FFFFFF" TEXT="#000000" LINK="#0000EE">
<TABLE WIDTH="100%" BORDER=0 CELLSPACING=0>
<TR><TD COLSPAN=3 BGCOLOR="#CCCCFF"><FONT SIZE="+2" FACE="Arial"><B>{banner}</B></FONT><BR>
<FONT SIZE="-1">{slogan}</FONT></TD></TR>
<TR><TD COLSPAN=3 ALIGN=CENTER>{menu}</TD></TR>
<TR><TD WIDTH=150 VALIGN=TOP BGCOLOR="#EEEEEE">{aside}</TD><TD WIDTH=10>&nbsp;</TD>
<TD VALIGN=TOP><FONT SIZE="-1">{crumbs}</FONT><HR>
{main}</TD></TR>
</TABLE>
<HR SIZE=1 NOSHADE>
<CENTER>{foot}<FONT SIZE="-1">{legal}</FONT></CENTER>
</BODY>
</HTML>
"""
    ),
    tags={
        "h1": BlockTags("<H1>", "</H1>\n"),
        "h2": BlockTags("<H2>", "</H2>\n"),
        "h3": BlockTags("<H3>", "</H3>\n"),
        "p": BlockTags("<P>", "\n"),
        "quote": BlockTags("<BLOCKQUOTE><I>", "</I></BLOCKQUOTE>\n"),
        "list": BlockTags("<UL>\n", "</UL>\n", "<LI>", "\n"),
        "table": BlockTags("<TABLE BORDER=1>\n", "</TABLE>\n", "<TD>", ""),
        "links": BlockTags("<UL>\n", "</UL>\n", "<LI>", "\n"),
        "image": BlockTags('<CENTER><IMG SRC="%s" ALT="%s" BORDER=0><BR><I>', "</I></CENTER>\n"),
        "map": BlockTags(
            '<P><IMG SRC="/images/map.gif" ALT="" USEMAP="#regions" BORDER=0>\n<MAP NAME="regions">\n',
            "</MAP>\n",
        ),
        "iframe": BlockTags("<P>", "\n"),
        "form": BlockTags("", "\n"),
    },
    menu=BlockTags("<B>", "</B>"),
    foot=BlockTags("<P>", "<BR>\n"),
    anchor='<A HREF="%s"%s>%s</A>',
    separator=" | ",
    old_head=True,
)

_PLAIN = PageStyle(
    name="plain",
    parts=_split_template(
        """<!DOCTYPE html>
<html{html}>
<head>
{head}</head>
<body>
<p><em>{banner}</em></p>
<p>{menu}</p>
<hr>
{main}<hr>
{aside}<address>{slogan}</address>
<p>{foot}</p>
<p>{legal}</p>
</body>
</html>
"""
    ),
    tags={**_BLOCK_TAGS, "image": BlockTags('<p><img src="%s" alt="%s"><br><em>', "</em></p>\n")},
    menu=BlockTags("", ""),
    foot=BlockTags("", ""),
    separator=" · ",
)

_MODERN = PageStyle(
    name="modern",
    parts=_split_template(
        """<!DOCTYPE html>
<html{html}>
<head>
{head}<meta name="viewport" content="width=device-width, initial-scale=1">
<style>.c0{display:flex}.c1{flex:1 1 auto}@media(max-width:40em){.c0{display:block}}</style>
<script type="application/ld+json">{"@context":"https://schema.org","@type":"WebPage"}</script>
<script>window.later=function(){return "<a href='/only-a-script'>" + 1 + "<\\/a>"};</script>
</head>
<body class="c9 is-page">
<!-- <a href="/only-a-comment">not a link</a> -->
<div class="c8" role="dialog">{cookies}</div>
<div class="c7"><header role="banner"><div class="c6">{banner}</div></header>
<div class="c5" role="navigation"><nav>{menu}</nav></div></div>
<div class="c0"><div class="c1"><main id="content"><section data-part="1"><div class="c2">
<div class="c3">{crumbs}</div>
{main}</div></section></main></div>
<div class="c4" role="complementary"><section>{aside}<div class="ad">{slogan}</div></section></div></div>
<footer role="contentinfo"><div>{foot}</div><div>{legal}</div></footer>
<script>document.body.dataset.ready="1";</script>
</body>
</html>
"""
    ),
    tags=_BLOCK_TAGS,
    menu=BlockTags('<ul class="m">\n', "</ul>", '<li class="m-i"><span>', "</span></li>"),
    foot=BlockTags('<ul class="f">\n', "</ul>", "<li>", "</li>"),
)

STYLES = (_SEMANTIC, _DIVS, _TABLES, _PLAIN, _MODERN)
"""One for each host, by the hash of its name."""
