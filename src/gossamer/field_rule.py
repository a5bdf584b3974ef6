"""A field that a user declares in a task file: where its values stand on pages, and what they are."""

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

FieldType = Literal["text", "number", "date", "url"]


class FieldRule(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Which values to take from which pages: `[[fields]]`, once for each field. Give one of select, data and meta."""

    name: Annotated[
        str, Meta(pattern=r"^[^\W\d]\w*$", description="name of the column: letters, digits and _")
    ]
    pages: Annotated[
        str, Meta(description="regular expression; the field belongs to pages whose URL it matches anywhere")
    ] = ""
    each: Annotated[
        str, Meta(description="CSS selector of the items of a page; each becomes a row of its own")
    ] = ""
    select: Annotated[
        str, Meta(description="CSS selector of the elements with the value, within the page or the item")
    ] = ""
    data: Annotated[
        str,
        Meta(description="path into JSON-LD, microdata and RDFa, such as Product.offers.price"),
    ] = ""
    meta: Annotated[str, Meta(description="name of a meta element, such as description or og:title")] = ""
    take: Annotated[
        str,
        Meta(
            pattern=r"^(text|html|attr:[A-Za-z_:][\w:.-]*)$",
            description="what to take of a selected element: text, html, or an attribute, such as attr:href",
        ),
    ] = "text"
    type: Annotated[FieldType, Meta(description="what the value is")] = "text"
    many: Annotated[bool, Meta(description="take all values, not only the first")] = False
    required: Annotated[
        bool, Meta(description="report pages without it; its end is an error of `gossamer fields`")
    ] = False
