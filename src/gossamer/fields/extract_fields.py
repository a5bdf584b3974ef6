"""Takes the values of declared fields from pages: by CSS selector, by a path into structured data, or from meta elements."""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

import msgspec

from gossamer.errors import BadInput
from gossamer.field_rule import FieldRule
from gossamer.fields.convert_value import FieldValue, convert_value
from gossamer.fields.limit_values import MOST_CHARACTERS, clean_surrogates
from gossamer.fields.structured_data import DataReader, find_values, read_attribute
from gossamer.net.html.document import Document
from gossamer.net.html.parse_tree import Element, Tree, parse_page
from gossamer.net.url.url_pattern import compile_pattern

MOST_ITEMS = 10_000
"""Items of one page that become rows."""
MOST_VALUES = 1_000
"""Values of one field of one row."""

Cell = FieldValue | list[FieldValue] | None


class FieldRow(msgspec.Struct, frozen=True):
    """The values of a page, or of one item on it, by the name of their field."""

    cells: dict[str, FieldValue | list[FieldValue]]
    missing: frozenset[str] = frozenset()
    """Fields that the page should have, and that matched nothing or nothing of their type."""


class FieldExtractor:
    """Extracts the fields of pages. The rules are checked when it is made."""

    def __init__(self, rules: Sequence[FieldRule]) -> None:
        if not rules:
            raise BadInput(
                "there are no fields: declare some as [[fields]] in a task file, and name it with --task"
            )
        self.rules = tuple(rules)
        self._patterns = [_check_rule(rule) for rule in rules]
        _check_columns(rules)

    def find_rules(self, url: str) -> list[FieldRule]:
        """Return the fields of a page, by its URL."""
        return [
            rule
            for rule, pattern in zip(self.rules, self._patterns, strict=True)
            if pattern is None or pattern.search(url)
        ]

    def extract(self, document: Document) -> list[FieldRow]:
        """Return one row for a page, or one for each item; no row if no field belongs to it."""
        rules = self.find_rules(document.url)
        if not rules:
            return []
        page = _PageValues(document)
        whole = [rule for rule in rules if not rule.each]
        shared = page.take_all(whole, document.tree)
        selectors = list(dict.fromkeys(rule.each for rule in rules if rule.each))
        if not selectors:
            return [_make_row(whole, shared)]
        rows = []
        for selector in selectors:
            own = [rule for rule in rules if rule.each == selector]
            for item in document.tree.select(selector)[:MOST_ITEMS]:
                rows.append(_make_row([*whole, *own], shared | page.take_all(own, item)))
        if not rows:  # a page without items lacks their fields
            rows.append(_make_row(rules, shared))
        return rows


class _PageValues:
    """Takes values from one page."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._data = DataReader(document.tree)

    def take_all(self, rules: Sequence[FieldRule], within: Tree | Element) -> dict[str, Cell]:
        """Return the values of fields by name; of rules with one name, the first that matches counts."""
        found: dict[str, Cell] = {}
        for rule in rules:
            if found.get(rule.name) in (None, []):
                found[rule.name] = self.take(rule, within)
        return found

    def take(self, rule: FieldRule, within: Tree | Element) -> Cell:
        """Return the value of a field, a list if it takes many; None or an empty list if there is none."""
        texts = islice((text for text in map(_tidy, self._list_texts(rule, within)) if text), MOST_VALUES)
        converted = (
            convert_value(text, rule.type, self._document.base, self._document.lang) for text in texts
        )
        values = (value for value in converted if value is not None)
        return list(values) if rule.many else next(values, None)

    def _list_texts(self, rule: FieldRule, within: Tree | Element) -> Iterable[str]:
        if rule.data:
            return find_values(self._data.items, rule.data)
        if rule.meta:
            content = self._data.meta.get(rule.meta.lower())
            return () if content is None else (content,)
        return _list_selected(rule, within)


def _list_selected(rule: FieldRule, within: Tree | Element) -> Iterator[str]:
    selected = within.select(rule.select) if rule.select else [within]
    for element in selected[:MOST_VALUES] if rule.many else selected:
        if not isinstance(element, Element):
            continue
        if rule.take == "html":
            yield element.inner_html
        elif rule.take.startswith("attr:"):
            yield read_attribute(element, rule.take.removeprefix("attr:"))
        else:
            yield " ".join(element.text.split())


def _tidy(text: str) -> str:
    return clean_surrogates(text[:MOST_CHARACTERS]).strip()


def _make_row(rules: Sequence[FieldRule], cells: dict[str, Cell]) -> FieldRow:
    found = {name: cell for name, cell in cells.items() if cell is not None and cell != []}
    return FieldRow(found, frozenset(rule.name for rule in rules if rule.name not in found))


def _check_rule(rule: FieldRule) -> re.Pattern[str] | None:
    """Raise BadInput for a rule that cannot work; return its pattern of URLs."""
    given = [name for name in ("select", "data", "meta") if getattr(rule, name)]
    if len(given) > 1:
        raise BadInput(f"the field {rule.name} has {' and '.join(given)}: give one of them")
    if not given and not rule.each:
        raise BadInput(f"the field {rule.name} does not say where it stands: give select, data or meta")
    if rule.each and given not in (["select"], []):
        raise BadInput(f"the field {rule.name} takes its value from each item: give select, not {given[0]}")
    for selector in filter(None, (rule.select, rule.each)):
        try:
            parse_page("<p>").select(selector)
        except ValueError as error:
            raise BadInput(f"the field {rule.name}: {error}") from None
    return compile_pattern(rule.pages, f"the field {rule.name}") if rule.pages else None


def _check_columns(rules: Sequence[FieldRule]) -> None:
    """Raise BadInput if fields with one name differ in type: they share a column."""
    kinds: dict[str, tuple[str, bool]] = {}
    for rule in rules:
        kind = rule.type, rule.many
        if kinds.setdefault(rule.name, kind) != kind:
            raise BadInput(f"the field {rule.name} is declared twice with another type or another `many`")
        if rule.name in ("url", "fetched"):
            raise BadInput(f"each row has a column {rule.name} already: choose another name for the field")
