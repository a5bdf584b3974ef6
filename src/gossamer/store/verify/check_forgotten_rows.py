"""Check that no table of a web in a database names a forgotten page."""

# ruff: noqa: S608 - only names of tables and columns written here go into queries; values are always bound

from contextlib import closing

import numpy as np

from gossamer.store.postgres.binary_columns import Int8s, pack_array
from gossamer.store.postgres.connect import Session
from gossamer.store.postgres.coordination.forget_mark import is_forgetting
from gossamer.store.postgres.postgres_store import PostgresStore
from gossamer.store.tombstones import load_tombstones, tombstone_name
from gossamer.store.verify.findings import Findings

_IDS = {"page": "id", "known": "id", "visit": "page", "decision": "page", "request": "id", "link": "source"}


def check_forgotten_rows(store: PostgresStore, findings: Findings) -> None:
    """Look for the ids of forgotten pages in every table. Cost: a pass over all links; nothing in a web that has forgotten nothing."""
    with closing(Session(store.address, read_only=True, setup=True)) as session:
        if is_forgetting(session):
            findings.add("forgetting", str(store.address))
        ids = sorted(load_tombstones(store).ids)
        if not ids:
            return
        findings.check("forgotten pages", len(ids))
        for table, column in _IDS.items():
            these = f"select distinct {column} from {table} where {column} = any(%s)"
            for (one,) in session.query(these, (pack_array(Int8s, ids),)):
                findings.add("forgotten page", f"{tombstone_name(one)} in the table {table}")
    wanted = np.array(ids, np.int64)
    for _, _, targets, _, _ in store.link_rows():
        for one in np.intersect1d(np.frombuffer(targets, "<i8"), wanted).tolist():
            findings.add("forgotten page", f"{tombstone_name(one)} in the table link")
