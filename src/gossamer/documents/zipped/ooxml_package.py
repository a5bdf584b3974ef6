"""Find the parts of an Office Open XML file: its main part, relations between parts, and its properties."""

import posixpath

import msgspec

from gossamer.documents.formats.xml_events import Attributes, XmlEvents, get_attribute
from gossamer.documents.zipped.zip_members import ZipMembers

_PROPERTIES = {
    "title": "title",
    "creator": "author",
    "modified": "date",
    "created": "created",
    "language": "language",
    # OpenDocument
    "date": "date",
    "initial-creator": "initial_author",
}
_LONGEST_VALUE = 10_000


class Relation(msgspec.Struct, frozen=True):
    """A relation of a part to another part, or to an address outside."""

    type: str
    """The last word of its type, such as hyperlink or slide."""
    target: str
    """The name of a part, or an address."""
    is_external: bool


def read_relations(package: ZipMembers, part: str) -> dict[str, Relation]:
    """Return the relations of a part by their ids."""
    folder, name = posixpath.split(part)
    found: dict[str, Relation] = {}

    def start(element: str, attributes: Attributes) -> None:
        if element == "Relationship":
            is_external = attributes.get("TargetMode") == "External"
            target = attributes.get("Target", "")
            if not is_external:
                target = posixpath.normpath(posixpath.join("/", folder, target)).lstrip("/")
            kind = attributes.get("Type", "").rpartition("/")[2]
            found[attributes.get("Id", "")] = Relation(kind, target, is_external)

    XmlEvents(start, _ignore, _ignore).read(
        package.read_chunks(posixpath.join(folder, "_rels", f"{name}.rels"))
    )
    return found


def find_main_part(package: ZipMembers, usual: str) -> str:
    """Return the name of the main part; the usual one, if the package does not name one that exists."""
    for relation in read_relations(package, "").values():
        if relation.type == "officeDocument" and relation.target in package.names:
            return relation.target
    return usual


def read_properties(package: ZipMembers, part: str = "docProps/core.xml") -> dict[str, str]:
    """Return title, author, date and language as far as the file declares them."""
    found: dict[str, str] = {}
    at = ""

    def start(element: str, attributes: Attributes) -> None:  # noqa: ARG001 - as the parser calls it
        nonlocal at
        at = _PROPERTIES.get(element, "")

    def end(element: str) -> None:  # noqa: ARG001 - as the parser calls it
        nonlocal at
        at = ""

    def text(value: str) -> None:
        if at and len(found.get(at, "")) < _LONGEST_VALUE:
            found[at] = found.get(at, "") + value

    XmlEvents(start, end, text).read(package.read_chunks(part))
    found.setdefault("date", found.pop("created", ""))
    found.setdefault("author", found.pop("initial_author", ""))
    return {name: found.get(name, "").strip() for name in ("title", "author", "date", "language")}


def get_relation_id(attributes: Attributes) -> str:
    """Return the id of the relation that an element names."""
    return get_attribute(attributes, "id") if "r:id" not in attributes else attributes["r:id"]


def _ignore(*_: object) -> None:
    pass
