"""Webs to search together: indexes in memory, and servers that answer as a test wants."""

import json
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

from gossamer.broker.web_source import SourceQuery, Unavailable
from gossamer.search.answers.answer_query import search
from gossamer.search.answers.answer_records import Answers
from gossamer.search.answers.suggestions import suggest_queries
from gossamer.search.answers.web_statistics import WebStatistics, collect_statistics
from gossamer.search.index.page_entry import Entry
from gossamer.search.index.search_index import Index

Reply = tuple[int, Mapping[str, str], bytes]


class IndexSource:
    """An index in memory as one of several webs."""

    address = ""

    def __init__(self, name: str, *entries: Entry, failure: str = "") -> None:
        self.name = name
        self.index = make_index(*entries)
        self.failure = failure
        self.asked: list[SourceQuery] = []

    def describe(self, text: str, languages: tuple[str, ...]) -> WebStatistics | Unavailable:
        if self.failure:
            return Unavailable(self.failure)
        return collect_statistics(self.index, text, languages, self.name)

    def search(self, query: SourceQuery) -> Answers | Unavailable:
        self.asked.append(query)
        return search(self.index, query.text, query.options)

    def suggest(self, typed: str) -> list[str]:
        return suggest_queries(self.index, typed)

    def close(self) -> None:
        pass


def make_index(*entries: Entry) -> Index:
    index = Index()
    writer = index.writer()
    for one in entries:
        writer.add(one)
    writer.commit()
    return index


@contextmanager
def serving_replies(reply: Callable[[str, dict[str, str]], Reply]) -> Iterator[str]:
    """Serve what a function returns for a path and its parameters; yield the address."""

    class Answering(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            parts = urlsplit(self.path)
            given = {name: values[0] for name, values in parse_qs(parts.query).items()}
            status, headers, body = reply(parts.path, given)
            self.send_response(status)
            for name, value in {"Content-Length": str(len(body)), **headers}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Answering)
    running = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    running.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/"
    finally:
        server.shutdown()
        running.join()
        server.server_close()


def to_json(content: object) -> Reply:
    return 200, {"Content-Type": "application/json"}, json.dumps(content).encode()
