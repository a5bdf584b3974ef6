"""The request log records who requested what and when, and measures gaps and parallel requests."""

import contextlib
import http.client
import time
from pathlib import Path

import msgspec
import pytest
from tests.unit.lab.toy import CLOSE, Toy, get, talk

from gossamer.lab.server.request_log import LogFile, LoggedRequest, RequestLog
from gossamer.lab.server.serve_world import LabServer, serving


class TestLog:
    def test_a_logged_request_has_host_target_status_agent_and_times(self, lab: LabServer) -> None:
        began_s = time.monotonic()
        talk(lab, b"GET /delay?q HTTP/1.1\r\nUser-Agent: probe/1\r\n" + CLOSE, "127.0.0.2")
        get(lab, "/delay", "127.0.0.2")
        first, second = lab.log.entries("127.0.0.2")
        assert (first.host, first.method, first.target, first.status) == ("127.0.0.2", "GET", "/delay?q", 200)
        assert (first.agent, first.address) == ("probe/1", "127.0.0.2")
        assert began_s <= first.arrived_s <= first.ended_s <= second.arrived_s
        assert second.ended_s - second.arrived_s >= 0.1
        assert first.connection != second.connection

    @pytest.mark.parametrize("target", ["/", "/large", "/reset"])
    def test_the_logged_end_is_never_later_than_the_clients_receipt(
        self, lab: LabServer, target: str
    ) -> None:
        received_s = []
        for _ in range(20):
            with contextlib.suppress(OSError, http.client.HTTPException):
                get(lab, target)
            received_s.append(time.monotonic())
        ended_s = [entry.ended_s for entry in lab.log.entries()]
        assert len(ended_s) == 20
        assert all(server_s <= client_s for server_s, client_s in zip(ended_s, received_s, strict=True))

    @staticmethod
    def make_log(*times: tuple[float, float]) -> RequestLog:
        log = RequestLog()
        for arrived_s, ended_s in times:
            log.add(LoggedRequest(arrived_s, ended_s, "h", "127.0.0.1", 1, "GET", "/", 200, ""))
        return log

    def test_gaps_count_from_the_latest_end(self) -> None:
        log = self.make_log((5, 6), (0, 1), (2, 9), (10, 11))
        assert log.gaps("h") == [1, -4, 1]
        assert log.gaps("127.0.0.1") == [1, -4, 1]
        assert log.gaps("other") == []
        assert self.make_log((0, 1)).gaps("h") == []

    def test_parallel_requests_are_counted(self) -> None:
        assert self.make_log((0, 10), (1, 2), (2, 4), (3, 5)).max_parallel("h") == 3
        assert self.make_log((0, 1), (1, 2)).max_parallel("h") == 1
        assert self.make_log().max_parallel("h") == 0

    def test_a_log_that_keeps_nothing_still_counts(self) -> None:
        passed_on: list[LoggedRequest] = []
        log = RequestLog(keep=False, sink=passed_on.extend)
        for number in range(5):
            log.add(LoggedRequest(number, number, f"h{number % 2}", "127.0.0.1", 1, "GET", "/", 200, ""))
            log.flush()
        assert (len(log), log.counts(), log.entries()) == (5, {"h0": 3, "h1": 2}, [])
        assert [entry.arrived_s for entry in passed_on] == [0, 1, 2, 3, 4]

    def test_the_log_file_has_one_line_of_json_for_each_request(self, tmp_path: Path) -> None:
        file = LogFile(tmp_path / "log.jsonl")
        log = RequestLog(sink=file)
        with serving(Toy(), log=log) as lab:
            talk(lab, b"GET /\xff\x00 HTTP/1.1\r\n" + CLOSE)
            get(lab, "/b")
        file.close()
        lines = [msgspec.json.decode(line) for line in (tmp_path / "log.jsonl").read_bytes().splitlines()]
        assert len(lines) == 2
        assert lines[1]["target"] == "/b"
        assert abs(lines[1]["arrived"] - time.time()) < 60
        assert len(log.entries()) == 2
