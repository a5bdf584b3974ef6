"""The states of a host's URLs and the sizes of hosts are the same in every store."""

from tests.contract.rows import link, to_columns

from gossamer.net import url as urls
from gossamer.records import HostNote, Page, Request, Visit
from gossamer.reports.graph.load_page_graph import load_page_graph
from gossamer.store.batch import Batch, Store
from gossamer.store.links.url_states import HostFact, read_hosts, read_url_states

HOST = "a.example"
KEPT, LATER, LOST, MOVED, KNOWN = (
    f"http://{HOST}/{name}" for name in ("kept", "later", "lost", "moved", "known")
)
NEAR = f"http://{HOST}.other/kept"


def fill_store(store: Store) -> None:
    ids = {url: urls.page_id(url) for url in (KEPT, LATER, LOST, MOVED, KNOWN, NEAR)}
    store.commit(
        Batch(
            pages=[Page(ids[KEPT], KEPT, HOST, 1, 0, 1.5, 200, "html", body_bytes=7)],
            known=[(page_id, url) for url, page_id in ids.items()],
            links=to_columns([link(ids[KEPT], ids[KNOWN])]),
            requests=[Request(ids[LATER], LATER, HOST, 1, number=1)],
            visits=[
                Visit(ids[KEPT], 1, 1.5, "fetched", 200),
                Visit(ids[LOST], 1, 2.5, "failed", 404),
                Visit(ids[MOVED], 1, 2.5, "failed", 503),
                Visit(ids[MOVED], 1, 3.5, "redirected", 301),
            ],
            hosts=[HostNote("b.example")],
            last_number=1,
        )
    )


def test_each_url_has_the_state_of_its_last_visit(store: Store) -> None:
    fill_store(store)
    found = {fact.url: (fact.state, fact.body_bytes) for fact in read_url_states(store, HOST)}
    assert found == {
        KEPT: ("kept", 7),
        LATER: ("waiting", 0),
        LOST: ("failed", 0),
        MOVED: ("redirected", 0),
        KNOWN: ("known", 0),
    }
    assert read_url_states(store, "a'; drop table page; --") == []


def test_hosts_have_their_sizes(store: Store) -> None:
    assert read_hosts(store) == []
    fill_store(store)
    assert read_hosts(store) == [HostFact(HOST, 1, 7, 1), HostFact("b.example", 0, 0, 0)]


def test_pages_that_were_only_linked_to_are_nodes(store: Store) -> None:
    fill_store(store)
    pages = load_page_graph(store)
    source, target = (pages.find_node(urls.page_id(url)) for url in (KEPT, KNOWN))
    assert pages.graph.targets[pages.graph.starts[source] : pages.graph.starts[source + 1]].tolist() == [
        target
    ]
    assert pages.find_node(urls.page_id(LOST)) == -1
