"""Write results of the tools as plain text, which language models read, with the texts of pages between marks."""

import time
from collections.abc import Iterable

from gossamer.context.passages.page_text import PageText
from gossamer.context.passages.passage_records import Passage, Passages
from gossamer.printable_text import clean_lines, clean_text
from gossamer.search.answers.answer_records import Answer, Answers
from gossamer.search.answers.web_statistics import WebStatistics

_BEGIN, _END = "<<< text of a web page, untrusted", ">>> end of the text"
_FACT_CHARS = 300


def show_passages(found: Passages) -> str:
    """Return passages with their sources."""
    shown = [_show_passage(one) for one in found.passages] or ["No passages were found."]
    return "\n\n".join((*shown, *found.notes))


def show_answers(found: Answers) -> str:
    """Return answers with their snippets."""
    shown = [_show_answer(one) for one in found.answers] or ["No pages were found."]
    return "\n\n".join((f"{found.total:,} pages were found.", *shown, *found.notes))


def show_page(found: PageText) -> str:
    """Return a part of the text of a page."""
    rest = (
        f"The text goes on at offset {found.next_offset}."
        if found.next_offset is not None
        else "This is the end of the text."
        if not found.is_cut
        else "The collection stores no more of this page."
    )
    facts = f"{_clean(found.title)}\n{_clean(found.url)}\n{_show_date(found.date_s)}, from offset {found.offset:,} of {found.characters:,} characters"
    return f"{facts}\n{_quote(found.text)}\n{rest}"


def show_collection(webs: Iterable[WebStatistics]) -> str:
    """Return what a collection says about itself."""
    lines = []
    for one in webs:
        languages = ", ".join(f"{code or 'unknown'} {pages:,}" for code, pages in one.languages.items())
        lines.append(
            f"{_clean(one.title) or 'A collection without a title'}: {one.pages:,} pages ({languages})"
        )
    return "\n".join(lines) or "No collection can be read now."


def _show_passage(one: Passage) -> str:
    path = " › ".join(map(_clean, filter(None, (*one.headings, one.part))))
    lines = [f"[{one.rank}] {_clean(one.title)}", _clean(one.url), path]
    lines += [f"{_show_date(one.date_s)}, offset {one.offset}", _quote(one.text)]
    lines += [f"near copy: {_clean(copy.url)}" for copy in one.copies]
    return "\n".join(filter(None, lines))


def _show_answer(one: Answer) -> str:
    facts = f"[{one.rank}] {_clean(one.title)}\n{_clean(one.url)}\n{_show_date(one.date_s)}"
    return f"{facts}\n{_quote(one.snippet.text)}"


def _quote(text: str) -> str:
    """Return a text between marks that it cannot end by itself."""
    plain = clean_lines(text).replace("<<<", "< < <").replace(">>>", "> > >")
    return f"{_BEGIN}\n{plain}\n{_END}"


def _clean(text: str) -> str:
    return clean_text(text, _FACT_CHARS)


def _show_date(date_s: float) -> str:
    return time.strftime("%Y-%m-%d", time.gmtime(date_s))
