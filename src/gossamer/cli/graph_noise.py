"""`gossamer graph noise`: mirrors, misconfigured servers and link farms, which drown what links say."""

from typing import Any

from gossamer.cli.graph_groups import first_names, group_table, labelled
from gossamer.cli.graph_options import Material
from gossamer.cli.graph_show import Told
from gossamer.errors import BadInput


def noise(material: Material) -> Told:
    """Find what disturbs: one page on many hosts, servers that answer for all of them, hidden links between hosts.

    All verbs leave it out when told --without-noise.

    \b
    gossamer graph noise --web docs.web
    gossamer graph clusters --web docs.web --links sites --without-noise
    """
    from gossamer.store.graph_signs import noise_in, stored

    graph = material.loaded.graph
    source = stored(graph.names)
    if source is None:
        raise BadInput("noise is found by what a web knows of its pages: take --web, and pages as nodes")
    found = noise_in(graph, source)
    top = found[: material.top or None]
    members = labelled(graph, [one.pages for one in top])
    facts: list[dict[str, Any]] = [
        {"kind": one.kind, "pages": len(one.pages), "hosts": one.hosts, "links": one.links, "members": names}
        for one, names in zip(top, members, strict=True)
    ]
    rows = [
        (one["kind"], one["pages"], one["hosts"], one["links"], first_names(one["members"])) for one in facts
    ]
    pages = sum(len(one.pages) for one in found)
    return Told(
        {"found": len(found), "pages": pages, "disturbances": facts},
        [
            group_table(
                "What disturbs", ["kind", "pages", "hosts", "links among them", "pages, for example"], rows
            )
        ],
        lambda: {
            "disturbance": [number for number, one in enumerate(found, 1) for _ in one.pages],
            "kind": [one.kind for one in found for _ in one.pages],
            "name": [name for one in found for name in graph.names.of(one.pages)],
        },
        [f"{len(found):,} structures of {pages:,} pages disturb; --without-noise leaves them out."],
    )
