"""`gossamer mcp`: let language models and their programs read a web, by the Model Context Protocol."""

import sys

from gossamer.cli.task_options import Wait, WebPaths, is_server, list_webs, parse_web


def mcp(web: WebPaths = None, wait: Wait = 5.0) -> int:
    """Serve a web to a language model, on standard input and output.

    Programs that know the Model Context Protocol start this command and call its tools: ask, search, read_page and
    describe_collection. All of them only read. `gossamer serve` has the same tools at /mcp, over HTTP.

    \b
    gossamer mcp --web docs.web
    gossamer mcp --web docs.web --web wiki.web
    """
    from gossamer.mcp.serve_stdio import serve_stdio

    webs = list_webs(web)
    if len(webs) > 1 or is_server(webs[0]):
        from gossamer.broker.broker import open_many

        with open_many(webs, wait) as broker:
            serve_stdio(broker, sys.stdin.buffer, sys.stdout.buffer)
        return 0
    from gossamer.web import open_to_read

    with open_to_read(parse_web(webs[0])) as opened:
        opened.check_index()
        serve_stdio(opened, sys.stdin.buffer, sys.stdout.buffer)
    return 0
