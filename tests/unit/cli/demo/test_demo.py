"""`gossamer demo` crawls, searches and serves."""

import re
import signal
import subprocess
import urllib.request

import pytest
from tests.unit.cli.programs import PROGRAM


@pytest.mark.slow
def test_the_demo_searches_what_it_crawled_and_serves_it() -> None:
    command = [*PROGRAM, "demo", "--pages", "20", "--serve"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as process:
        try:
            assert process.stdout is not None
            printed = []
            for line in process.stdout:
                printed.append(line)
                if served := re.search(r"Search it at (http://\S+)", line):
                    break
            assert served is not None, "".join(printed)
            with urllib.request.urlopen(f"{served[1]}?q=the") as answer:  # noqa: S310 - our own server
                assert answer.status == 200
            process.send_signal(signal.SIGINT)
            assert process.wait(600) in (0, 130)
        finally:
            process.kill()
    shown = "".join(printed)
    assert re.search(r"Indexed \d+ pages", shown)
    assert shown.count("gossamer search '") == 2
    assert shown.count("\n1. ") == 2
